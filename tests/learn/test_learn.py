"""One battery of checks for all learners: what each of them promises, whatever it does inside."""

import contextlib
import io
import json
import pickle
import subprocess
import sys
import zipfile
from dataclasses import fields, replace

import numpy as np
import pytest

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.boostexter import BoosTexter
from parcels.learn.calibrated import Calibrated
from parcels.learn.learner import Features, in_order_of
from parcels.learn.linear import Linear
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.stored import ARRAYS, HEADER, KINDS, class_of, learner_from_bytes, load_learner
from parcels.learn.trees import Trees
from parcels.learn.words import Words

LEARNERS = {
    "boostexter": BoosTexter(rounds=15),
    "naive-bayes": NaiveBayes(),
    "naive-bayes-one-length": NaiveBayes(row_length=5.0),
    "linear": Linear(),
    "trees": Trees(rounds=8, leaves=6),
    "calibrated": Calibrated(BoosTexter(rounds=5), folds=3),
    "calibrated-isotonic": Calibrated(NaiveBayes(), method="isotonic", folds=3),
}
ROWS, COLUMNS, WORDS = 240, 5, 12
LABELS = np.array(["ads", "search", "title"])


def those_that(condition) -> pytest.MarkDecorator:
    """Run a test for some of the learners only."""
    found = {name: learner for name, learner in LEARNERS.items() if condition(learner)}
    return pytest.mark.parametrize("learner", found.values(), ids=found.keys())


@pytest.fixture(params=LEARNERS.values(), ids=LEARNERS.keys())
def learner(request):
    return replace(request.param)


def example(learner, *, seed: int = 0, rows: int = ROWS) -> tuple[Features, np.ndarray]:
    """Rows of three classes that can be told apart by numbers and by words, of the kinds that the learner reads."""
    random = np.random.default_rng(seed)
    place = np.concatenate([np.arange(3), random.integers(0, 3, rows - 3)])
    numbers = random.normal(size=(rows, COLUMNS))
    numbers[:, 0] += 2 * place
    numbers[:, 1] -= place
    if learner.takes_missing:
        numbers[random.random(numbers.shape) < 0.1] = np.nan
    texts = [[f"w{n}" for n in [*random.integers(0, WORDS, 5), *[here * 4] * 2]] for here in place]
    words = Words.from_texts(texts, {f"w{n}": n for n in range(WORDS)})
    return Features.of(numbers if learner.reads_numbers else None, words if learner.reads_words else None), LABELS[
        place
    ]


def fitted(learner, rows: Features, y, **options):
    return replace(learner).fit(rows.numbers, rows.words, y, **options)


@pytest.fixture(scope="module")
def fitted_before() -> dict:
    return {}


@pytest.fixture
def model(learner, fitted_before):
    """The learner fitted on the example; for tests that do not change it."""
    if repr(learner) not in fitted_before:
        fitted_before[repr(learner)] = fitted(learner, *example(learner))
    return fitted_before[repr(learner)]


def predicted(learner, rows: Features) -> np.ndarray:
    return learner.predict_proba(rows.numbers, rows.words)


def test_every_learner_that_can_be_stored_is_in_the_battery():
    assert {learner.kind for learner in LEARNERS.values()} == set(KINDS)


def test_init_only_stores(learner):
    settings = {field.name: getattr(learner, field.name) for field in fields(learner) if field.init}
    assert vars(learner) == settings


def test_probabilities_have_a_column_a_class_in_sorted_order(learner, model):
    rows, _ = example(learner)
    proba = predicted(model, rows)
    assert model.classes_.tolist() == sorted(LABELS)
    assert proba.shape == (ROWS, 3)
    assert np.allclose(proba.sum(axis=1), 1)
    assert (proba >= 0).all()
    assert np.allclose(np.exp(model.predict_log_proba(rows.numbers, rows.words)), proba)


def test_it_learns(learner, model):
    others, gold = example(learner, seed=1)
    assert (model.classes_[predicted(model, others).argmax(axis=1)] == gold).mean() > 0.75


def test_labels_may_be_whole_numbers(learner):
    rows, y = example(learner)
    model = fitted(learner, rows, np.searchsorted(LABELS, y) + 5)
    assert model.classes_.tolist() == [5, 6, 7]
    assert np.allclose(predicted(model, rows), predicted(fitted(learner, rows, y), rows))


def test_fitting_twice_gives_the_same(learner):
    rows, y = example(learner)
    once, twice = fitted(learner, rows, y), fitted(learner, rows, y)
    assert (predicted(once, rows) == predicted(twice, rows)).all()
    assert once.to_bytes() == twice.to_bytes()


def test_a_fitted_learner_can_be_fitted_again(learner):
    rows, y = example(learner)
    model = fitted(learner, *example(learner, seed=3, rows=60))
    model.fit(rows.numbers, rows.words, y)
    assert (predicted(model, rows) == predicted(fitted(learner, rows, y), rows)).all()


@those_that(lambda learner: not isinstance(learner, Calibrated))  # whose folds are dealt out by row
def test_the_order_of_the_training_rows_does_not_matter(learner):
    rows, y = example(learner)
    order = np.random.default_rng(2).permutation(ROWS)
    straight, mixed = fitted(learner, rows, y), fitted(learner, rows.take(order), y[order])
    # L-BFGS and LightGBM add up in the order of the rows; rounding may move them a little.
    assert np.allclose(predicted(straight, rows), predicted(mixed, rows), atol=1e-3)


def test_a_row_does_not_depend_on_the_rows_beside_it(learner, model):
    rows, _ = example(learner)
    one_by_one = np.concatenate([predicted(model, rows.take(np.array([place]))) for place in range(0, ROWS, 7)])
    assert (one_by_one == predicted(model, rows)[::7]).all()


def test_no_rows_give_no_predictions(learner):
    rows, y = example(learner)
    assert predicted(fitted(learner, rows, y), rows.take(np.zeros(0, np.int64))).shape == (0, 3)


def test_a_weight_of_zero_is_absence(learner):
    rows, y = example(learner)
    is_kept = np.arange(ROWS) % 3 > 0
    weighted = fitted(learner, rows, y, sample_weight=is_kept.astype(float))
    without = fitted(learner, rows.take(is_kept), y[is_kept], sample_weight=np.ones(is_kept.sum()))
    assert (predicted(weighted, rows) == predicted(without, rows)).all()


def test_a_class_with_no_weight_is_no_class(learner):
    rows, y = example(learner)
    model = fitted(learner, rows, y, sample_weight=(y != "search").astype(float))
    assert model.classes_.tolist() == ["ads", "title"]
    wide = in_order_of(LABELS, predicted(model, rows), model.classes_)
    assert (wide[:, 1] == 0).all()


def test_two_classes(learner):
    rows, y = example(learner)
    proba = predicted(fitted(learner, rows, np.where(y == "ads", "ads", "other")), rows)
    assert proba.shape == (ROWS, 2)
    assert ((proba[:, 0] > 0.5) == (y == "ads")).mean() > 0.8


def test_one_class_is_certain(learner):
    rows, _ = example(learner)
    model = fitted(learner, rows, np.full(ROWS, "ads"))
    assert np.allclose(predicted(model, rows), 1)


@pytest.mark.parametrize("y", [["ads"], ["ads", "title", "ads", "title"]], ids=["one row", "four rows"])
def test_very_few_rows(learner, y):
    rows, _ = example(learner, rows=len(y) + 3)
    few = rows.take(np.arange(len(y)))
    assert np.isfinite(predicted(fitted(learner, few, y), few)).all()


@pytest.mark.parametrize("width", [0, WORDS])
def test_no_words_at_all(learner, width):
    rows, y = example(learner)
    empty = Features(rows.numbers, Words.empty(ROWS, width if learner.reads_words else 0))
    model = fitted(learner, empty, y)
    proba = predicted(model, empty)
    assert np.isfinite(proba).all()
    if not learner.reads_numbers and proba.shape[1] == 3:
        share = np.bincount(np.searchsorted(LABELS, y)) / ROWS
        assert np.abs(proba - share).max() < 0.1


@those_that(lambda learner: learner.reads_numbers)
def test_numbers_alone_without_columns_give_the_share_of_each_class(learner):
    y = np.array(["ads"] * 30 + ["title"] * 10)
    nothing = Features.of(np.zeros((40, 0)))
    assert (predicted(fitted(learner, nothing, y), nothing).argmax(axis=1) == 0).all()


@those_that(lambda learner: learner.reads_numbers)
def test_constant_columns_do_no_harm(learner):
    y = np.array(["ads"] * 30 + ["title"] * 10)
    same = Features.of(np.ones((40, 2)))
    assert (predicted(fitted(learner, same, y), same).argmax(axis=1) == 0).all()


def test_words_that_training_never_had_change_little(learner):
    rows, y = example(learner)
    wide = Features(rows.numbers, Words(rows.words.starts, rows.words.columns, rows.words.counts, WORDS + 3))
    model = fitted(learner, wide, y)
    new = Words.from_texts([["new"]] * ROWS, {"new": WORDS} | {f"w{n}": n for n in range(WORDS)} | {"x": 13, "y": 14})
    assert np.isfinite(predicted(model, Features(rows.numbers, new))).all()


@those_that(lambda learner: learner.reads_numbers)
def test_what_is_no_number_is_refused_where_it_cannot_be_taken(learner):
    rows, y = example(learner)
    model = fitted(learner, rows, y)
    for bad in (np.inf, -np.inf, *([] if learner.takes_missing else [np.nan])):
        refuses_a_number(learner, model, bad)


def refuses_a_number(learner, model, bad: float) -> None:
    rows, y = example(learner)
    rows.numbers[17, 2] = bad
    for call in (lambda: fitted(learner, rows, y), lambda: predicted(model, rows)):
        with pytest.raises(ConfigError, match=r"column 2 .*row 17"):
            call()


def test_mismatched_input_is_refused_with_a_reason(learner, model):
    rows, y = example(learner)
    with pytest.raises(ConfigError, match="one per row"):
        fitted(learner, rows, y[:-1])
    with pytest.raises(ConfigError, match="one per row"):
        fitted(learner, rows, y, sample_weight=np.ones(3))
    with pytest.raises(ConfigError, match="a weight is negative"):
        fitted(learner, rows, y, sample_weight=-np.ones(ROWS))
    with pytest.raises(ConfigError, match="no row has a weight"):
        fitted(learner, rows, y, sample_weight=np.zeros(ROWS))
    with pytest.raises(ConfigError, match="strings or integers"):
        fitted(learner, rows, np.linspace(0, 1, ROWS))
    with pytest.raises(ConfigError, match="neither numbers nor words"):
        model.predict_proba(None, None)
    if learner.reads_words:
        wider = Features(rows.numbers, Words(rows.words.starts, rows.words.columns, rows.words.counts, WORDS + 1))
        with pytest.raises(ModelMismatch, match="12 columns of words and was given 13"):
            predicted(model, wider)
        with pytest.raises(ConfigError, match="rows and words"):
            model.predict_proba(np.zeros((ROWS + 1, rows.numbers.shape[1])), rows.words)
    if learner.reads_numbers:
        with pytest.raises(ModelMismatch, match="5 columns of numbers and was given 4"):
            predicted(model, Features(rows.numbers[:, 1:], rows.words))
        with pytest.raises(ConfigError, match="dimensions"):
            model.predict_proba(rows.numbers[0], None)
    else:
        with pytest.raises(ConfigError, match="does not accept numbers"):
            fitted(learner, Features(np.zeros((ROWS, 1)), rows.words), y)


def test_saved_and_loaded_it_predicts_the_same_bit_by_bit(learner, model, tmp_path):
    rows, _ = example(learner)
    model.save(tmp_path / "model")
    packed = model.to_bytes()
    copies = [
        type(model).load(tmp_path / "model"),
        load_learner(tmp_path / "model"),
        type(model).from_bytes(packed),
        learner_from_bytes(packed),
    ]
    for copy in copies:
        assert (predicted(copy, rows) == predicted(model, rows)).all()
        assert (copy.classes_ == model.classes_).all()
        assert copy.to_bytes() == packed
    header = json.loads((tmp_path / "model" / HEADER).read_text())
    assert header["kind"] == model.kind
    assert header["classes"] == LABELS.tolist()


def test_a_truncated_file_is_refused(model, tmp_path):
    model.save(tmp_path)
    for name in (HEADER, ARRAYS):
        whole = (tmp_path / name).read_bytes()
        for size in (0, 1, len(whole) // 2, len(whole) - 3):
            (tmp_path / name).write_bytes(whole[:size])
            with pytest.raises(ModelMismatch, match="cannot be used"):
                type(model).load(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(ModelMismatch, match="cannot be used"):
            type(model).load(tmp_path)
        (tmp_path / name).write_bytes(whole)
    packed = model.to_bytes()
    for size in (0, 10, len(packed) // 2, len(packed) - 1):
        with pytest.raises(ModelMismatch, match="cannot be used"):
            learner_from_bytes(packed[:size])


def test_damaged_bytes_are_refused_or_harmless(learner):
    rows, y = example(learner, rows=40)
    packed = bytearray(fitted(learner, rows, y).to_bytes())
    random = np.random.default_rng(0)
    for place in random.integers(0, len(packed), 60):
        damaged = packed.copy()
        damaged[place] ^= 1 << random.integers(0, 8)
        with contextlib.suppress(ModelMismatch):
            assert np.isfinite(predicted(learner_from_bytes(bytes(damaged)), rows)).all()


class Trap:
    def __reduce__(self):
        return exec, ("raise SystemExit('executed')",)


def test_nothing_in_a_hostile_file_is_executed(model, tmp_path):
    model.save(tmp_path)
    (tmp_path / ARRAYS).write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ModelMismatch):
        type(model).load(tmp_path)
    for name in model._arrays():
        trapped = model._arrays() | {name: np.array([Trap()], object)}
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=True, **trapped)
        (tmp_path / ARRAYS).write_bytes(buffer.getvalue())
        with pytest.raises(ModelMismatch):
            type(model).load(tmp_path)


def test_arrays_of_wrong_shape_type_or_range_are_refused(model, tmp_path):
    model.save(tmp_path)

    def refuses(arrays) -> bool:
        buffer = io.BytesIO()
        np.savez(buffer, **arrays)
        (tmp_path / ARRAYS).write_bytes(buffer.getvalue())
        with pytest.raises(ModelMismatch, match="cannot be used"):
            type(model).load(tmp_path)
        return True

    arrays = model._arrays()
    for name, array in arrays.items():
        rest = {other: value for other, value in arrays.items() if other != name}
        assert refuses(rest)
        assert refuses(rest | {name: array[None]})
        assert refuses(rest | {name: array.astype(np.float32)})
        if array.dtype.kind == "f":
            assert refuses(rest | {name: np.full_like(array, np.nan)})
        if array.dtype.kind == "i":
            assert refuses(rest | {name: np.full_like(array, 2**40)})


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "pickle"},
        {"kind": None},
        {"version": 99},
        {"classes": []},
        {"classes": ["b", "a", "c"]},
        {"classes": ["a", "b"]},
        {"classes": [["a"], ["b"], ["c"]]},
        {"n_numbers": -1},
        {"n_words": "many"},
        {"settings": {"__class__": "os.system"}},
        {"settings": 3},
    ],
    ids=str,
)
def test_a_header_that_lies_is_refused(model, change, tmp_path):
    model.save(tmp_path)
    header = json.loads((tmp_path / HEADER).read_text())
    if "learner" in header and "classes" in change:
        header["learner"] |= change  # the classes inside are the ones that count
    (tmp_path / HEADER).write_text(json.dumps(header | change))
    with pytest.raises(ModelMismatch, match="cannot be used"):
        type(model).load(tmp_path)
    with pytest.raises(ModelMismatch, match="cannot be used"):
        load_learner(tmp_path)


def test_an_archive_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    from parcels.learn import stored

    monkeypatch.setattr(stored, "MOST_BYTES", 10_000)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.npy", bytes(1_000_000))
    with pytest.raises(ModelMismatch, match="larger than"):
        learner_from_bytes(buffer.getvalue())


def test_an_array_that_claims_more_than_it_holds_is_refused():
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("huge.npy", head.getvalue())
    with pytest.raises(ModelMismatch, match="size that it claims"):
        learner_from_bytes(buffer.getvalue())


def test_predicting_imports_neither_scipy_nor_a_library_of_learners(tmp_path):
    for name, learner in LEARNERS.items():
        rows, y = example(learner)
        fitted(learner, rows, y).save(tmp_path / name)
    code = f"""
import sys, numpy as np
from pathlib import Path
from parcels.learn.stored import load_learner
from parcels.learn.words import Words
import parcels.learn.cotrain
for folder in Path({str(tmp_path)!r}).iterdir():
    model = load_learner(folder)
    model.predict_proba(np.zeros((2, model.n_numbers_)), Words.empty(2, model.n_words_))
print(*({{"scipy", "sklearn", "lightgbm", "pandas"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_kind_is_looked_up_in_a_table_and_not_imported():
    with pytest.raises(ModelMismatch, match="unknown kind of learner"):
        class_of("os")
