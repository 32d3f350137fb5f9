"""Reports: what Python and NumPy put into a description, and what is refused by name."""

import json
import math

import numpy as np
import pytest

import optgap
from optgap.measure import report


def page(**section):
    return {"title": "t", "sections": [{"heading": "h", **section}]}


def table(*rows):
    return page(table={"columns": [{"name": "a"}, {"name": "b", "align": "right"}], "rows": list(rows)})


def test_the_native_program_writes_the_same(run_native, tmp_path):
    (tmp_path / "page.json").write_text(json.dumps(table(["x", 1.5])), encoding="utf-8")
    run_native("page", str(tmp_path / "page.json"), "-o", str(tmp_path / "page.html"))
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == report.html(table(["x", 1.5]))
    assert "\n".join(run_native("page", str(tmp_path / "page.json"))) + "\n" == report.markdown(table(["x", 1.5]))


def test_numbers_of_numpy_are_numbers():
    plain = table(["x", 0.5], ["y", 7])
    assert report.markdown(table(["x", np.float32(0.5)], ["y", np.int64(7)])) == report.markdown(plain)
    points = [[1.0, 2.0], [3.0, 4.0]]
    words = {"kind": "lines", "title": "c", "x": {"label": "x"}, "y": {"label": "y", "log": np.bool_(True)}}
    drawn = [report.html(page(charts=[{**words, "series": [{"name": "a", "points": given}]}]))
             for given in (points, np.array(points))]  # fmt: skip
    assert drawn[0] == drawn[1]


def test_what_is_no_number_has_a_mark():
    text = report.markdown(table(["nan", math.nan], ["none", None], ["inf", -math.inf], ["much", 10**30]))
    cells = {line.split("|")[1].strip(): line.split("|")[2].strip() for line in text.splitlines() if line[:1] == "|"}
    assert cells["nan"] == cells["none"] == "–" and cells["inf"] == "-∞" and cells["much"] == str(10**30)


def test_any_string_can_stand_in_a_cell():
    hostile = "\ud83d</script><script>alert(1)</script>\x00\x1b[31m\u202e|`"
    text = report.html(table([hostile, None]))
    assert text.count("<script>") == 1 and "\x1b" not in text and "\x00" not in text
    text.encode("utf-8")
    assert "<script>" not in report.markdown(table([hostile, None]))


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ([], "page"),
        ({"title": "t"}, "sections"),
        (table(["x"]), "sections[0].table.rows[0]"),
        (table(["x", {1}]), "sections[0].table.rows[0][1]"),
        (table(["x", True]), "sections[0].table.rows[0][1]"),
        (page(colour="red"), "sections[0].colour"),
        (page(charts=[{"kind": "pie"}]), "sections[0].charts[0].kind"),
    ],
)
def test_a_wrong_field_is_named(wrong, field):
    for write in (report.html, report.markdown):
        with pytest.raises(optgap.Error) as caught:
            write(wrong)
        assert caught.value.field == field
