from engine.accounting import config_of
from engine.weights import load_weights, matrices
from ui import catalogue
from ui.labs import architecture_ingredients as ingredients


def test_every_matrix_of_the_model_has_its_line_and_labs_that_exist():
    used = {name.split("].")[-1] for name in matrices(load_weights())}
    assert used == set(ingredients.INGREDIENTS)
    for one in ingredients.INGREDIENTS.values():
        assert all(slug in catalogue.BY_SLUG for slug in one.labs)


def test_the_block_carries_todays_shapes_and_outlines_the_chosen_box():
    figure = ingredients.block(config_of(load_weights()), ingredients.of("layers[0].W_2").box)
    words = [a.text for a in figure.layout.annotations]
    assert words.count("n×3") == 5
    assert words.count("n×6") == 2
    assert "n×5" in words
    assert [s.line.width for s in figure.layout.shapes if s.type == "rect"].index(4) == 5
