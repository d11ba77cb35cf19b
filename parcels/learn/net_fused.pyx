# cython: wraparound=False, cdivision=True
"""The network of page_net.py for labelling, on processors with AVX2 and FMA: one pass a layer, nothing in between.

What a block sees (its neighbours, the means of its groups) is never laid side by side: a tile of six rows by sixteen
columns stays in registers while all parts of a layer's weights go through it. Sums are fused and in another order than
NumPy's, so that they differ from its in the last bits, as one BLAS differs from another; but they do not hang on how
many threads a BLAS has, nor on which one there is.
"""

import numpy as np

from libc.math cimport sqrtf
from libc.string cimport memset

ctypedef long long Int

cdef extern from *:
    """
    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>
    #define PARCELS_FMA __attribute__((target("avx2,fma")))

    static int parcels_can_fuse(void) {
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    }

    /* How a tile's sums go into `out`. */
    enum { STORE, STORE_ABOVE, ADD_ABOVE };

    #define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)

    /* Six rows from `rows` on (of which the first `valid` count) by sixteen columns. A part's rows stand `steps[part]`
       floats away; its weights are `depth` times sixteen floats, part after part. `above[group * 6 + row]` are rows that
       are added as they are, each as wide as `out`. */
    PARCELS_FMA static void parcels_tile(
        const float *rows, Py_ssize_t stride, const Py_ssize_t *steps, Py_ssize_t parts, Py_ssize_t depth,
        const float *weights, const float *bias, const float *const *above, Py_ssize_t groups, Py_ssize_t column,
        float *out, Py_ssize_t width, Py_ssize_t valid, int how)
    {
        __m256 bias_low = _mm256_loadu_ps(bias), bias_high = _mm256_loadu_ps(bias + 8);
    #define BEGIN(r) __m256 low##r = bias_low, high##r = bias_high;
        EACH_ROW(BEGIN)
        for (Py_ssize_t group = 0; group < groups; group++) {
    #define FROM_GROUP(r) { \\
            const float *of = above[group * 6 + r] + column; \\
            low##r = _mm256_add_ps(low##r, _mm256_loadu_ps(of)); \\
            high##r = _mm256_add_ps(high##r, _mm256_loadu_ps(of + 8)); }
            EACH_ROW(FROM_GROUP)
        }
        for (Py_ssize_t part = 0; part < parts; part++) {
            const float *from = rows + steps[part];
            for (Py_ssize_t k = 0; k < depth; k++, weights += 16) {
                __m256 of_low = _mm256_loadu_ps(weights), of_high = _mm256_loadu_ps(weights + 8), value;
    #define FUSE(r) \\
                value = _mm256_broadcast_ss(from + r * stride + k); \\
                low##r = _mm256_fmadd_ps(value, of_low, low##r); \\
                high##r = _mm256_fmadd_ps(value, of_high, high##r);
                EACH_ROW(FUSE)
            }
        }
        __m256 zero = _mm256_setzero_ps();
    #define OUT(r) if (r < valid) { \\
            float *to = out + r * width + column; \\
            if (how != STORE) { low##r = _mm256_max_ps(zero, low##r); high##r = _mm256_max_ps(zero, high##r); } \\
            if (how == ADD_ABOVE) { \\
                low##r = _mm256_add_ps(low##r, _mm256_loadu_ps(to)); \\
                high##r = _mm256_add_ps(high##r, _mm256_loadu_ps(to + 8)); } \\
            _mm256_storeu_ps(to, low##r); \\
            _mm256_storeu_ps(to + 8, high##r); }
        EACH_ROW(OUT)
    }

    /* Numbers in standard deviations from the mean, within bounds; NaN stays. */
    PARCELS_FMA static void parcels_standard(const float *from, const float *mean, const float *scale, float clip,
                                             Py_ssize_t width, float *to) {
        for (Py_ssize_t at = 0; at < width; at++) {
            float value = (from[at] - mean[at]) / scale[at];
            value = value < -clip ? -clip : value;
            to[at] = value > clip ? clip : value;
        }
    }

    PARCELS_FMA static float parcels_sum(__m256 of) {
        __m128 half = _mm_add_ps(_mm256_castps256_ps128(of), _mm256_extractf128_ps(of, 1));
        half = _mm_add_ps(half, _mm_movehl_ps(half, half));
        return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
    }

    /* A row with mean 0 and variance 1; the width is a multiple of 8. */
    PARCELS_FMA static void parcels_normal(const float *from, Py_ssize_t width, float tiny, float *to) {
        __m256 sum = _mm256_setzero_ps(), squares = _mm256_setzero_ps();
        for (Py_ssize_t at = 0; at < width; at += 8) sum = _mm256_add_ps(sum, _mm256_loadu_ps(from + at));
        __m256 mean = _mm256_set1_ps(parcels_sum(sum) / (float)width);
        for (Py_ssize_t at = 0; at < width; at += 8) {
            __m256 away = _mm256_sub_ps(_mm256_loadu_ps(from + at), mean);
            squares = _mm256_fmadd_ps(away, away, squares);
            _mm256_storeu_ps(to + at, away);
        }
        __m256 spread = _mm256_set1_ps(sqrtf(parcels_sum(squares) / (float)width + tiny));
        for (Py_ssize_t at = 0; at < width; at += 8)
            _mm256_storeu_ps(to + at, _mm256_div_ps(_mm256_loadu_ps(to + at), spread));
    }

    PARCELS_FMA static void parcels_add(const float *from, Py_ssize_t width, float *to) {
        for (Py_ssize_t at = 0; at < width; at++) to[at] += from[at];
    }
    #else
    static int parcels_can_fuse(void) { return 0; }
    enum { STORE, STORE_ABOVE, ADD_ABOVE };
    static void parcels_tile(
        const float *rows, Py_ssize_t stride, const Py_ssize_t *steps, Py_ssize_t parts, Py_ssize_t depth,
        const float *weights, const float *bias, const float *const *above, Py_ssize_t groups, Py_ssize_t column,
        float *out, Py_ssize_t width, Py_ssize_t valid, int how) {}
    static void parcels_standard(const float *from, const float *mean, const float *scale, float clip, Py_ssize_t width,
                                 float *to) {}
    static void parcels_normal(const float *from, Py_ssize_t width, float tiny, float *to) {}
    static void parcels_add(const float *from, Py_ssize_t width, float *to) {}
    #endif
    """
    bint parcels_can_fuse() noexcept nogil
    cdef enum:
        STORE
        STORE_ABOVE
        ADD_ABOVE
    void parcels_tile(
        const float*, Py_ssize_t, const Py_ssize_t*, Py_ssize_t, Py_ssize_t, const float*, const float*, const float**,
        Py_ssize_t, Py_ssize_t, float*, Py_ssize_t, Py_ssize_t, int
    ) noexcept nogil
    void parcels_standard(const float*, const float*, const float*, float, Py_ssize_t, float*) noexcept nogil
    void parcels_normal(const float*, Py_ssize_t, float, float*) noexcept nogil
    void parcels_add(const float*, Py_ssize_t, float*) noexcept nogil

cdef enum:
    TILE = 6
    PANEL = 16
    MOST_PARTS = 16
    MOST_GROUPS = 8

IS_AVAILABLE = bool(parcels_can_fuse())


def is_fit(Py_ssize_t width, Py_ssize_t parts, Py_ssize_t groups) -> bool:
    """Whether a network of this width, with so many moves and groups a layer, can be run here."""
    return IS_AVAILABLE and width % PANEL == 0 and parts <= MOST_PARTS and groups <= MOST_GROUPS


def panels(weights):
    """Weights (parts, depth, columns) as the tiles read them: sixteen columns after the other, zeros up to the last."""
    parts, depth, columns = weights.shape
    count = (columns + PANEL - 1) // PANEL
    found = np.zeros((count, parts, depth, PANEL), np.float32)
    for panel in range(count):
        own = weights[:, :, panel * PANEL : (panel + 1) * PANEL]
        found[panel, :, :, : own.shape[2]] = own
    return found


def padded(bias):
    """A bias with zeros up to the end of its last panel."""
    found = np.zeros((len(bias) + PANEL - 1) // PANEL * PANEL, np.float32)
    found[: len(bias)] = bias
    return found


cdef class Fused:
    """The weights of one network, ready to label with."""

    cdef readonly bytes reading  # what two networks have the same of that read the same numbers
    cdef object mean, scale
    cdef float clip, tiny
    cdef float[:, :, :, ::1] first, last
    cdef float[::1] first_bias, last_bias
    cdef list near, far, biases, moves  # of each layer: weights of neighbours, of groups, biases, places moved by
    cdef Py_ssize_t width, classes, reach

    def __init__(self, mean, scale, weights, list moves, float clip, float tiny):
        """`weights` as PageNet keeps them; `moves`: of each layer, by how many places its neighbours stand away."""
        self.mean, self.scale, self.clip, self.tiny = mean, scale, clip, tiny
        self.reading = mean.tobytes() + scale.tobytes()
        self.width, self.classes = weights["out"].shape
        self.first, self.first_bias = panels(weights["in"][None]), padded(weights["in_bias"])
        self.last, self.last_bias = panels(weights["out"][None]), padded(weights["out_bias"])
        self.moves, self.near, self.far, self.biases = [], [], [], []
        self.reach = max(abs(by) for of_layer in moves for by in of_layer)
        for layer, of_layer in enumerate(moves):
            parts = weights[f"layer{layer}"].reshape(-1, self.width, self.width)
            self.moves.append(np.array(of_layer, np.intp))
            self.near.append(panels(parts[: len(of_layer)]))
            self.far.append([panels(part[None]) for part in parts[len(of_layer) :]])
            self.biases.append(padded(weights[f"bias{layer}"]))

    def standard(self, const float[:, ::1] numbers):
        """The numbers as the network reads them, with empty rows behind them up to a whole tile."""
        cdef Py_ssize_t row, count = numbers.shape[0], columns = numbers.shape[1]
        cdef const float[::1] mean = self.mean, scale = self.scale
        cdef float[:, ::1] found = np.empty((count + TILE, columns), np.float32)
        for row in range(count):
            parcels_standard(&numbers[row, 0], &mean[0], &scale[0], self.clip, columns, &found[row, 0])
        memset(&found[count, 0], 0, TILE * columns * sizeof(float))
        return np.asarray(found)

    def scores(self, const float[:, ::1] given, list groups):
        """What `standard` gave into a score of each class, a row a block; `groups`: order, starts and place of each."""
        cdef Py_ssize_t count = given.shape[0] - TILE, width = self.width, reach = self.reach, layer, group, row, part
        cdef Py_ssize_t group_count = len(groups), from_row
        cdef float[:, ::1] features = np.empty((count, width), np.float32)
        # Normal rows with empty ones around them, so that what stands beyond the page's ends adds nothing.
        cdef float[:, ::1] normal = np.zeros((count + 2 * reach + TILE, width), np.float32)
        cdef float[:, ::1] means = np.zeros((count + TILE, width), np.float32)
        cdef float[:, ::1] of_group
        cdef float[:, ::1] found = np.empty((count, self.last.shape[0] * PANEL), np.float32)
        cdef Py_ssize_t[::1] moves
        cdef Py_ssize_t[MOST_PARTS] steps
        cdef const Int[::1] order, starts, place
        cdef list of_groups, places = [of.place for of in groups]
        cdef float[::1] nothing = np.zeros(width, np.float32)
        steps[0] = 0
        _tiles(&given[0, 0], given.shape[1], steps, 1, self.first, self.first_bias, [], [], features, STORE_ABOVE)
        for layer in range(len(self.moves)):
            for row in range(count):
                parcels_normal(&features[row, 0], width, self.tiny, &normal[reach + row, 0])
            of_groups = []
            for group in range(group_count):
                order, starts = groups[group].order, groups[group].starts
                for part in range(starts.shape[0]):
                    _mean(normal, reach, order, starts[part],
                          starts[part + 1] if part + 1 < starts.shape[0] else count, &means[part, 0])
                of_group = np.empty((starts.shape[0], width), np.float32)
                _tiles(&means[0, 0], width, steps, 1, self.far[layer][group], nothing, [], [], of_group, STORE)
                of_groups.append(of_group)
            moves = self.moves[layer]
            for part in range(moves.shape[0]):
                steps[part] = -moves[part] * width
            _tiles(&normal[reach, 0], width, steps, moves.shape[0], self.near[layer], self.biases[layer], of_groups,
                   places, features, ADD_ABOVE)
            steps[0] = 0
        for row in range(count):
            parcels_normal(&features[row, 0], width, self.tiny, &normal[reach + row, 0])
        _tiles(&normal[reach, 0], width, steps, 1, self.last, self.last_bias, [], [], found, STORE)
        return np.asarray(found)[:, : self.classes]


cdef void _mean(
    const float[:, ::1] rows, Py_ssize_t before, const Int[::1] order, Py_ssize_t first, Py_ssize_t end, float* found
) noexcept:
    """The mean of some rows, which stand `before` places further down."""
    cdef Py_ssize_t at, column, width = rows.shape[1]
    cdef float size = end - first
    memset(found, 0, width * sizeof(float))
    for at in range(first, end):
        parcels_add(&rows[before + order[at], 0], width, found)
    if end - first > 1:
        for column in range(width):
            found[column] /= size


cdef int _tiles(
    const float* rows, Py_ssize_t stride, const Py_ssize_t* steps, Py_ssize_t parts, const float[:, :, :, ::1] weights,
    const float[::1] bias, list above, list places, float[:, ::1] out, int how,
) except -1:
    """All tiles of a layer: every row of `out`, sixteen columns after the other."""
    cdef Py_ssize_t count = out.shape[0], width = out.shape[1], groups = len(above), panel, row, group, at, valid
    cdef const float* of_rows[MOST_GROUPS * TILE]
    cdef const float* first[MOST_GROUPS]
    cdef const Int* place[MOST_GROUPS]
    cdef const float[:, ::1] of_group
    cdef const Int[::1] of_place
    for group in range(groups):
        of_group, of_place = above[group], places[group]
        first[group], place[group] = &of_group[0, 0], &of_place[0]
    for panel in range(weights.shape[0]):
        for row in range(0, count, TILE):
            valid = min(count - row, TILE)
            for group in range(groups):
                for at in range(TILE):
                    of_rows[group * TILE + at] = first[group] + place[group][min(row + at, count - 1)] * width
            parcels_tile(
                rows + row * stride, stride, steps, parts, weights.shape[2], &weights[panel, 0, 0, 0],
                &bias[panel * PANEL], of_rows, groups, panel * PANEL, &out[0, 0] + row * width, width, valid, how,
            )
    return 0
