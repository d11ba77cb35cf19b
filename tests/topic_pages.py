"""Small universities, as messy as real ones: course pages, home pages of students, and what belongs to neither."""

import random
from pathlib import Path

from parcels.topics.examples import TopicExample, examples

COURSE = ["homework", "assignment", "lecture", "syllabus", "midterm", "grading", "textbook", "exam", "handout"]
STUDENT = ["graduate", "resume", "advisor", "thesis", "friends", "hobbies", "guitar", "bookmarks", "hometown"]
OTHER = ["printer", "network", "policy", "parking", "seminar", "abstract", "archive", "report", "directions"]
NAMES = ["Ann Lee", "Bo Chen", "Carla Diaz", "Dmitri Orlov", "Eve Stone", "Farid Aziz", "Gail Wu", "Hugo Marx",
         "Iris Tan", "Jon Falk"]  # fmt: skip
MENU = ["people", "education", "news", "research", "admission", "alumni", "visitors", "library", "labs", "help"]
ALL = {"course": COURSE, "student": STUDENT, "other": OTHER}


def words(of: list[str], rng: random.Random, count: int) -> str:
    common = ["the", "department", "of", "computer", "science", "and", "its", "pages", "for", "you"]
    return " ".join(rng.choice(of if rng.random() < 0.4 else common) for _ in range(count))


def title_of(topic: str, n: int) -> str:
    return {"course": f"CS {100 + n} Home Page", "student": f"{NAMES[n % 10]}'s Home Page", "other": f"Notes {n}"}[
        topic
    ]


def page(topic: str, n: int, *, seed: int = 0, links: str = "") -> str:
    """One page: unclosed tags, a table for layout, a menu on the left, and its own words in the middle."""
    rng = random.Random(f"{topic} {n} {seed}")
    menu = "".join(f"<a href='/{name}/'>{name}</a><br>" for name in MENU)
    return (
        f"<html><head><title>{title_of(topic, n)}</title><meta name=keywords content='{words(ALL[topic], rng, 5)}'>"
        f"<body bgcolor=white><table width=100%><tr><td width=120 valign=top>{menu}<td>"
        f"<h1>{title_of(topic, n)}</h1><p>{words(ALL[topic], rng, 250)}<ul>{links}</ul>"
        f"<p>{words(ALL[topic], rng, 150)}</table><hr><address>webmaster@uni{seed}.example</address>"
    )


def university(host: str, *, seed: int, each: int = 20) -> dict[str, tuple[str, str]]:
    """Pages by address with their topics: lists of people and of courses, and many pages that lead nowhere."""
    home = f"http://{host}/"
    lists = {
        "people/": "".join(f"<li><a href='/~{n}/'>{NAMES[n % 10]}</a>, PhD student" for n in range(each)),
        "education/": "".join(f"<li><a href='/education/cs{n}/'>CS {n}</a> lecture" for n in range(each)),
        "news/": "".join(f"<li><a href='/news/{n}.html'>Notice {n}</a>" for n in range(2 * each)),
    }
    found = {home: (page("other", 99, seed=seed), "other")}
    for n, (path, links) in enumerate(lists.items()):
        found[home + path] = (page("other", 90 + n, seed=seed, links=links), "other")
    for n in range(each):
        found[f"{home}~{n}/"] = (page("student", n, seed=seed), "student")
        found[f"{home}education/cs{n}/"] = (page("course", n, seed=seed), "course")
    for n in range(2 * each):
        found[f"{home}news/{n}.html"] = (page("other", n, seed=seed), "other")
    return found


def write_parquet(path: Path, *webs: dict[str, tuple[str, str]]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"page": f"p{n}", "url": url, "html": html.encode(), "topic": topic}
        for n, (url, (html, topic)) in enumerate(item for web in webs for item in web.items())
    ]
    path.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows), path / "pages.parquet")
    return path


def three_universities(folder: Path) -> list[TopicExample]:
    """The labelled pages of three small universities, to learn topics from."""
    return examples([write_parquet(folder, *(university(f"www.uni{n}.example", seed=n, each=8) for n in range(3)))])
