cpdef list pairs(str text, dict known)
