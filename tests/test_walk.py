def test_the_chosen_cell_is_outlined_and_its_sum_written(app):
    link = {
        "forward_pass.step": "Attend",
        "forward_pass.matrix": "Scores Q·Kᵀ",
        "forward_pass.row": "1",
        "forward_pass.column": "2",
    }
    at = app("forward_pass", link)
    (box,) = at.charts["step"].boxes()
    assert (box["x0"], box["y0"], box["xref"]) == (1.5, 0.5, "x")
    assert at.get("latex")[0].value.startswith("$$\nS[1,2] = ")


def test_beyond_the_end_of_the_matrix_there_is_nothing_to_choose(app):
    at = app("forward_pass", {"forward_pass.row": "4", "forward_pass.column": "5"})
    assert "lies outside 0 to 2" in at.notices[0]
    assert "lies outside 0 to 1" in at.notices[1]
    (box,) = at.charts["step"].boxes()
    assert (box["x1"], box["y1"]) == (0.5, 0.5)
    at.set(row="2", column="1")
    assert at.get("latex")[0].value.startswith("$$\nC[2,1] = ")


def test_the_next_word_is_appended_until_all_positions_are_used(app):
    at = app("forward_pass")
    for _ in range(2):
        before = at.control("tokens").value
        at.click("append")
        assert at.control("tokens").value.startswith(f"{before} ")
    assert len(at.control("tokens").value.split()) == 5
    assert at.button(key="forward_pass.append").label == "5 positions, all used"
    assert at.button(key="forward_pass.append").disabled
