# What `columns.py` gives in compiled modules: pointers to the memory of arrays, which `keep` holds on to.

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_STRIDES, PyBuffer_IsContiguous, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize

cdef inline void* memory(list keep, object array, Py_ssize_t size) except? NULL:
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_STRIDES)
    if not PyBuffer_IsContiguous(&view, b"C"):
        PyBuffer_Release(&view)
        array = array.copy()
        PyObject_GetBuffer(array, &view, PyBUF_SIMPLE)
    cdef void* pointer = view.buf
    cdef Py_ssize_t found = view.itemsize
    PyBuffer_Release(&view)
    if found != size:
        raise TypeError(f"a column of {size} bytes a number was expected, not of {found}")
    keep.append(array)
    return pointer

cdef inline double* doubles(list keep, object array) except? NULL:
    return <double*> memory(keep, array, sizeof(double))

cdef inline float* floats(list keep, object array) except? NULL:
    return <float*> memory(keep, array, sizeof(float))

cdef inline int* ints(list keep, object array) except? NULL:
    return <int*> memory(keep, array, sizeof(int))

cdef inline short* shorts(list keep, object array) except? NULL:
    return <short*> memory(keep, array, sizeof(short))

cdef inline signed char* codes(list keep, object array) except? NULL:
    return <signed char*> memory(keep, array, 1)

cdef inline signed char* rare_codes(list keep, object array) except? NULL:
    return <signed char*> memory(keep, array, 1)

cdef inline double* rare_doubles(list keep, object array) except? NULL:
    return <double*> memory(keep, array, sizeof(double))

cdef inline signed char* seldom_codes(list keep, object array) except? NULL:
    return <signed char*> memory(keep, array, 1)

cdef inline double* seldom_doubles(list keep, object array) except? NULL:
    return <double*> memory(keep, array, sizeof(double))

cdef inline int first_beyond(double* column, double number, int first, int end) noexcept:
    cdef int middle
    while first < end:
        middle = (first + end) >> 1
        if number < column[middle]:
            end = middle
        else:
            first = middle + 1
    return first

cdef inline object written(object memory, double* column):
    return memory

cdef inline object written_ints(object memory, int* column):
    return memory

cdef inline double* fresh_doubles(list keep, object array) except? NULL:
    return <double*> memory(keep, array, sizeof(double))

cdef inline double* new_doubles(list keep, Py_ssize_t count, double value) except NULL:
    cdef bytes room = PyBytes_FromStringAndSize(NULL, count * sizeof(double))
    cdef double* column = <double*> PyBytes_AS_STRING(room)
    cdef Py_ssize_t n
    for n in range(count):
        column[n] = value
    keep.append(room)
    return column

cdef inline int* new_ints(list keep, Py_ssize_t count, int value) except NULL:
    cdef bytes room = PyBytes_FromStringAndSize(NULL, count * sizeof(int))
    cdef int* column = <int*> PyBytes_AS_STRING(room)
    cdef Py_ssize_t n
    for n in range(count):
        column[n] = value
    keep.append(room)
    return column

cdef inline bytes double_bytes(double* column, Py_ssize_t count):
    return PyBytes_FromStringAndSize(<char*> column, count * sizeof(double))

cdef inline bytes int_bytes(int* column, Py_ssize_t count):
    return PyBytes_FromStringAndSize(<char*> column, count * sizeof(int))

cdef inline object written_codes(object memory, signed char* column):
    return memory
