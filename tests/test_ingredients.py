from engine.accounting import config_of
from engine.weights import as_rows, load_weights, matrices
from ui import catalogue
from ui.labs import architecture_ingredients as ingredients


def test_every_matrix_of_the_model_has_its_line_and_labs_that_exist():
    used = {name.split("].")[-1] for name in matrices(load_weights())}
    assert used == set(ingredients.INGREDIENTS)
    for one in ingredients.INGREDIENTS.values():
        assert all(slug in catalogue.BY_SLUG for slug in one.labs)


def test_all_matrices_are_heatmaps_under_their_own_names_and_only_the_chosen_one_is_marked():
    weights = load_weights()
    shown = {name: as_rows(array) for name, array in matrices(weights).items()}
    chosen = "layers[0].heads[1].W_K"
    panels = dict(zip(shown, ingredients.panels(shown, weights, weights.layers[0].heads, chosen, (2, 1)), strict=True))
    assert panels[chosen].title == f"{weights.layers[0].heads[1].name} W_K"
    assert panels["layers[0].norm_1.gamma"].title == "norm_1.gamma"
    assert panels["W_E"].rows == panels["W_LM_head"].columns == list(weights.vocabulary)
    assert [band[:2] for band in panels["layers[0].W_O"].row_bands] == [(0, 2), (2, 4), (4, 6)]
    assert {name: panel.mark for name, panel in panels.items() if panel.mark} == {chosen: (2, 1)}


def test_the_block_carries_todays_shapes_and_outlines_the_chosen_box():
    figure = ingredients.block(config_of(load_weights()), ingredients.of("layers[0].W_2").box)
    words = [a.text for a in figure.layout.annotations]
    assert words.count("n×3") == 5
    assert words.count("n×6") == 2
    assert "n×5" in words
    assert [s.line.width for s in figure.layout.shapes if s.type == "rect"].index(4) == 5
