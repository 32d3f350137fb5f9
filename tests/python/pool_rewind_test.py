"""Pool.rewind and go_to: what comes back, what is refused, and processes that read beside the one that writes."""

import pathlib

import pytest
from completion import complete

import optgap


def step(engine, pool, number):
    """Six problems, and observations of what is there; the same for one content of the pool."""
    pool.add(engine.generate(["tsp", "knapsack"], "d3", 3, seed=2 * number))
    if len(pool):
        draws = pool.draw(8)
        texts = [
            complete(answer if row % 2 else [0])
            for row, answer in enumerate(engine.solve(draws.instances).answers.tolist())
        ]
        pool.observe(draws, engine.score(draws.instances, texts, draws.baselines))
    pool.step()


def told(pool):
    return pool.steps, pool.hash, len(pool), pool.weights("signal").tolist(), pool.draw(9).instances.keys


@pytest.fixture
def pool(engine, tmp_path):
    made = optgap.Pool(tmp_path / "pool.db", seed=3, capacity=4)
    for number in range(5):
        step(engine, made, number)
    return made


def test_each_step_comes_back_and_the_same_steps_lead_on(engine, pool, tmp_path):
    other = optgap.Pool(tmp_path / "other.db", seed=3, capacity=4)
    past = []
    for number in range(5):
        past.append((other.steps, other.hash, len(other)))
        step(engine, other, number)
    assert told(other) == told(pool)
    for number in (4, 3, 1, 0):
        last = pool.hash
        did = pool.rewind(number, past[number][1])
        assert (pool.steps, pool.hash, len(pool)) == past[number]
        assert did.steps > 0 and did.kept == f"{pool.path}.dropped-{number}-{last[:8]}"
        assert pool.rewind(number) == (0, 0, 0, 0, "")
    for number in range(5):
        step(engine, pool, number)
    assert told(pool) == told(other) and pool.verify() == []


def test_what_was_dropped_is_a_delta_that_leads_back(pool):
    before = told(pool)
    did = pool.rewind(2)
    assert did.entries > 0 and did.outcomes > 0 and did.gone > 0
    parts = pathlib.Path(did.kept).read_text().split('{"pool_delta"')[1:]
    for part in parts:
        assert pool.merge('{"pool_delta"' + part)
        pool.step()
    assert told(pool) == before


def test_what_was_brought_to_the_step_is_dropped(engine, pool):
    before = pool.hash
    pool.add(engine.generate("clique", "d3", 3))
    pool.rewind(pool.steps)
    assert pool.step().added == 0 and pool.rewind(5).steps == 1 and pool.hash == before


def test_one_process_rewinds_and_the_others_refresh(engine, pool, tmp_path):
    reader = optgap.Pool(tmp_path / "pool.db", writes=False)
    steps, digits = pool.steps, pool.hash
    pool.rewind(3)
    back = pool.hash
    with pytest.raises(optgap.Error, match="expected step 5 with hash .*: the process that writes rewinds it first"):
        reader.go_to(steps, digits)
    reader.go_to(3, back)
    assert told(reader) == told(pool)
    with pytest.raises(optgap.Error, match="writes: rewind changes the file"):
        reader.rewind(2)
    reader.observe_rows([0], [1.0], [True])
    second = hash_at(pool, 2)
    pool.go_to(2, second)
    assert reader.refresh() is False and reader.hash == second and reader.refresh() is True
    assert '"outcomes":0' in reader.delta(1), "what it brought to another past is dropped"
    step(engine, pool, 2)
    assert reader.refresh() is True and told(reader) == told(pool)


def hash_at(pool, number):
    """As it was then, by asking for another."""
    with pytest.raises(optgap.Error, match="another run's pool") as refused:
        pool.rewind(number, "0" * 32)
    return str(refused.value).partition(" had ")[2].partition(" when ")[0]


@pytest.mark.parametrize(("call", "said"), [
    (lambda pool: pool.rewind(6), "step: 6: expected one from 0 to 5"),
    (lambda pool: pool.rewind(-1), "step"),
    (lambda pool: pool.rewind(5, "0" * 32), "hash: .* another run's pool"),
    (lambda pool: pool.rewind(2, "none"), "hash: 'none': expected 32 lower-case hex digits"),
])  # fmt: skip
def test_what_is_wrong_is_said_and_changes_nothing(pool, call, said):
    before = told(pool)
    with pytest.raises(optgap.Error, match=said):
        call(pool)
    assert told(pool) == before
