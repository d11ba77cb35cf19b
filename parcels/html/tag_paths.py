"""Tag paths: the tags from the root of a page to a node, joined by slashes."""


def tag_paths(parent: list[int], tags: list[str], rows: list[int]) -> list[str]:
    """Return the tag paths of these rows; shared prefixes are joined once.

    >>> tag_paths([-1, 0, 1, 1], ["html", "body", "p", "p"], [3, 0, 3])
    ['html/body/p', 'html', 'html/body/p']
    """
    known: list[str | None] = [None] * len(tags)
    paths = []
    for wanted in rows:
        row, unknown_rows = wanted, []
        while row >= 0 and known[row] is None:
            unknown_rows.append(row)
            row = parent[row]
        path = known[row] if row >= 0 else None
        for below in reversed(unknown_rows):
            path = tags[below] if path is None else path + "/" + tags[below]
            known[below] = path
        paths.append(path or "")
    return paths
