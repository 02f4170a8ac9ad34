from dataclasses import replace

from engine.accounting import config_of
from engine.weights import as_rows, load_weights, matrices
from ui import catalogue
from ui.labs import architecture_ingredients as ingredients


def test_every_matrix_of_the_model_has_its_line_and_labs_that_exist():
    used = {name.split("].")[-1] for name in matrices(load_weights())}
    assert used == set(ingredients.INGREDIENTS)
    for one in ingredients.INGREDIENTS.values():
        assert all(slug in catalogue.BY_SLUG for slug in one.labs)


def test_all_matrices_are_heatmaps_by_number_and_only_the_chosen_one_is_marked():
    weights = load_weights()
    shown = {name: as_rows(array) for name, array in matrices(weights).items()}
    chosen = "layers[0].heads[1].W_K"
    panels = dict(zip(shown, ingredients.panels(shown, weights, weights.layers[0].heads, chosen, (2, 1)), strict=True))
    assert (panels[chosen].title, panels[chosen].axes) == ("4  head 1 W_K", ("d_model", "d_k"))
    assert panels["layers[0].norm_1.gamma"].title == "7  norm_1 γ"
    assert panels["layers[0].W_O"].axes == ("concat", "d_model")
    assert panels["W_E"].rows == panels["W_LM_head"].columns == list(weights.vocabulary)
    assert [band[:2] for band in panels["layers[0].W_O"].row_bands] == [(0, 2), (2, 4), (4, 6)]
    assert {name: panel.mark for name, panel in panels.items() if panel.mark} == {chosen: (2, 1)}


def test_three_groups_hold_the_numbers_one_to_eleven_in_order():
    names = ingredients.in_order(matrices(load_weights()))
    groups = [group for _, _, group in ingredients.groups(names, 0)]
    assert [name for group in groups for name in group] == names
    numbers = [[ingredients.of(name).number for name in group] for group in groups]
    assert numbers == [[1, 2], [3, 4, 5, 3, 4, 5, 3, 4, 5, 6, 7, 7, 8, 8, 9, 9, 10, 10], [11]]


def test_the_block_carries_its_shapes_and_outlines_the_chosen_box():
    config = config_of(load_weights())
    figure = ingredients.block(config, ingredients.of("layers[0].W_2").box)
    words = [a.text for a in figure.layout.annotations]
    assert words.count("n×3") == 5
    assert words.count("n×6") == 3
    assert {"n×2", "n×5", "acti-<br>vation", "mask,<br>softmax,<br>times V", "one layer"} <= set(words)
    assert words.count("⊕") == 2
    boxes = [s for s in figure.layout.shapes if s.type == "rect" and s.fillcolor]
    assert [s.line.width for s in boxes].index(4) == 7


def test_a_model_of_two_layers_says_so_on_the_block_and_one_head_is_one_head():
    config = replace(config_of(load_weights()), n_layers=2, n_heads=1, n_kv_heads=1)
    words = [a.text for a in ingredients.block(config, 0).layout.annotations]
    assert "layer, 2 times one after the other" in words
    assert "3 4 5<br>Q K V<br>1 head" in words
