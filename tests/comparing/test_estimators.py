"""The estimators at equal psi, stability and slices against plain computations and planted facts."""

from __future__ import annotations

import numpy as np
import pytest

import negaudit
from negaudit import NegauditError
from negaudit.comparing.adjusted import regression
from negaudit.comparing.binning import resampled
from negaudit.comparing.logdet import loose_weightings, with_logdets
from negaudit.comparing.match import PSI, STATISTICS, MatchConfig, pair_values, weighted
from negaudit.comparing.overlap import target
from negaudit.comparing.record_sums import record_sums
from negaudit.comparing.regression import KNOTS, Curve
from negaudit.comparing.stability import StabilityConfig
from negaudit.comparing.support import common_support, equal_width, quantile_edges
from negaudit.scoring.intervals import POISSON, record_weight
from negaudit.scoring.weightings import WEIGHTINGS
from tests.comparing.simulated import pairs_of, source_of, three_sources, write_folder


@pytest.fixture(scope="module")
def sources():
    return three_sources(np.random.default_rng(5), 200, k=6)


@pytest.fixture(scope="module")
def support(sources):
    return common_support({name: s.pairs.psi for name, s in sources.items()})


def test_every_source_gives_each_bin_the_smallest_sources_count(sources, support):
    cells = {name: equal_width(s.pairs.psi, support, 10) for name, s in sources.items()}
    counts = np.array([np.bincount(c[c >= 0], minlength=10) for c in cells.values()])
    drawn = resampled(cells, {name: c[:, None].astype(float) for name, c in cells.items()}, 10, 20, 0)
    assert drawn.retained == counts.min(0).sum()
    for means in drawn.means.values():
        # The same number in each bin: the mean bin is the same in every source and repetition.
        assert means[:, 0] * drawn.retained == pytest.approx((counts.min(0) * np.arange(10)).sum())


def test_a_repetition_takes_no_negative_twice_and_all_equally_often():
    cells = {"few": np.zeros(7, np.int32), "many": np.zeros(12, np.int32)}
    tags = {name: 2.0 ** np.arange(len(cell))[:, None] for name, cell in cells.items()}
    taken = np.rint(resampled(cells, tags, 1, 2000, 0).means["many"][:, 0] * 7).astype(np.int64)
    chosen = (taken[:, None] >> np.arange(12)) & 1
    assert (chosen.sum(1) == 7).all()
    assert chosen.mean(0) == pytest.approx(np.full(12, 7 / 12), abs=0.05)


def test_the_weight_of_a_cell_is_the_harmonic_one_and_none_where_a_source_is_missing():
    counts = {"a": np.array([10.0, 1000.0, 5.0]), "b": np.array([30.0, 1.0, 0.0])}
    assert target(counts) == pytest.approx([10 * 30 / 40, 1000 / 1001, 0])


def test_where_the_smallest_source_is_smallest_everywhere_it_is_kept_whole():
    record = np.repeat(np.arange(50), 2)
    psi = np.tile(np.linspace(0, 1, 10), 10)
    small = source_of("small", pairs_of(record, psi, np.full(100, 0.4)), [""] * 50)
    cells = {
        "small": equal_width(psi, common_support({"small": psi}), 10),
        "large": equal_width(np.tile(psi, 3), common_support({"a": psi}), 10),
    }
    values = {"small": pair_values(small), "large": np.tile(pair_values(small), (3, 1)) + np.random.default_rng(0).normal(0, 0.1, (300, 4))}
    drawn = resampled(cells, values, 10, 30, 0)
    assert np.ptp(drawn.means["small"], axis=0) == pytest.approx(0, abs=1e-12)
    assert np.ptp(drawn.means["large"][:, 0]) > 0


def test_weights_make_psi_equal_and_keep_the_whole_support(sources, support):
    body = weighted(sources, {n: pair_values(s) for n, s in sources.items()}, support, MatchConfig(replicates=10))
    psi = [means["mean_psi"]["value"] for means in body["means"].values()]
    assert max(psi) - min(psi) < 0.002
    for name, told in body["sources"].items():
        inside = int(support.holds(sources[name].pairs.psi).sum())
        assert told["share_of_support"] > 0.9
        assert inside / 4 < told["effective_sample_size"] <= inside


def test_the_regression_is_least_squares_on_the_written_out_design_and_its_errors_are_clustered(sources, support):
    outcomes = {n: pair_values(s)[:, :PSI] for n, s in sources.items()}
    body = regression(sources, outcomes, list(STATISTICS[:PSI]), support, 5, 0)
    curve = Curve(quantile_edges({n: s.pairs.psi for n, s in sources.items()}, support, KNOTS), ())
    rows, y, cluster = [], [], []
    for number, source in enumerate(sources.values()):
        inside = support.holds(source.pairs.psi)
        hats = np.column_stack([np.interp(source.pairs.psi[inside], curve.edges, unit) for unit in np.eye(len(curve.edges))])
        dummies = np.zeros((inside.sum(), 2))
        if number:
            dummies[:, number - 1] = 1
        rows.append(np.column_stack([dummies, hats]))
        y.append(source.pairs.rho[inside])
        cluster.append(source.key[source.pairs.record[inside]])
    X, Y, G = np.concatenate(rows), np.concatenate(y), np.concatenate(cluster)
    beta = np.linalg.lstsq(X, Y, rcond=None)[0]
    bread = np.linalg.inv(X.T @ X)
    scores = np.array([X[group == G].T @ (Y - X @ beta)[group == G] for group in np.unique(G)])
    error = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread) * len(scores) / (len(scores) - 1))
    first, second, _ = body["differences"]["mean_rho"]
    assert [first["difference"], second["difference"]] == pytest.approx(list(-beta[:2]), abs=1e-9)
    assert [first["clustered_error"], second["clustered_error"]] == pytest.approx(list(error[:2]), rel=1e-6)


def information(weights: np.ndarray, residuals: np.ndarray, count: float) -> np.ndarray:
    return np.linalg.eigvalsh((residuals * weights[:, None]).T @ residuals / count)


def test_log_det_follows_the_trace_where_directions_add_little_and_has_no_interval_where_they_add_all():
    source = three_sources(np.random.default_rng(8), 300, k=4)["LLM"]
    residuals = np.random.default_rng(9).normal(size=(1200, 48)) + np.random.default_rng(10).normal(size=(300, 48))[source.pairs.record]
    residuals /= np.linalg.norm(residuals, axis=1)[:, None]
    sums = record_sums(source)
    weights = {name: WEIGHTINGS[name](source.pairs) for name in ("composite", "uniform")}
    eigen = {name: information(w, residuals, 1200) for name, w in weights.items()}
    eci = {n: {"logdet": np.log1p(e).sum(), "trace": e.sum(), "lambda_max": e.max()} for n, e in eigen.items()}
    assert loose_weightings(eci, sums) == ["uniform"]
    drawn = with_logdets(sums.replicates(source, 300, 42), eci, sums)
    assert "eci.uniform.logdet" not in drawn
    exact = []
    for b in range(300):
        times = np.array([record_weight(key, b, np.uint64(42), POISSON) for key in source.key])[source.pairs.record]
        exact.append(np.log1p(information(weights["composite"] * times, residuals, times.sum())).sum())
    assert np.std(drawn["eci.composite.logdet"]) == pytest.approx(np.std(exact), rel=0.1)
    assert np.corrcoef(drawn["eci.composite.logdet"], exact)[0, 1] > 0.99


def test_psi_of_exactly_one_has_a_level_of_its_own():
    rng, record = np.random.default_rng(0), np.repeat(np.arange(400), 5)
    made = {}
    for name, share in {"few": 0.1, "many": 0.6}.items():
        psi = np.where(rng.uniform(size=2000) < share, 1.0, rng.uniform(0.2, 0.99, 2000))
        rho = np.where(psi == 1, 0.9, 0.2 + 0.2 * psi) + rng.uniform(-0.05, 0.05, 2000)
        made[name] = source_of(name, pairs_of(record, psi, rho), [""] * 400, key=np.arange(400, dtype=np.uint64))
    support = common_support({n: s.pairs.psi for n, s in made.items()})
    body = regression(made, {n: pair_values(s)[:, :PSI] for n, s in made.items()}, list(STATISTICS[:PSI]), support, 100, 0)
    assert not body["differences"]["mean_rho"][0]["found"]


def test_stability_takes_nested_samples_and_says_how_many_records_an_order_needs(tmp_path):
    rng, record = np.random.default_rng(0), np.repeat(np.arange(2000), 2)
    ids = [f"q{i}" for i in range(2000)]
    levels = {"far": 0.2, "near": 0.50, "nearer": 0.502}
    made = {n: source_of(n, pairs_of(record, np.clip(rng.normal(m, 0.1, 4000), 0, 1), np.full(4000, 0.5)), ids) for n, m in levels.items()}
    body = negaudit.stability(write_folder(tmp_path, made), statistics=["mean_psi"], config=StabilityConfig(100))
    told = body["statistics"]["mean_psi"]
    assert [f["records"] for f in told["fractions"].values()] == [500, 1000, 1500, 2000]
    assert told["fractions"]["100"] == {"records": 2000, "order": told["order"], "kendall": 1.0, "same": True}
    shares = [point["same"] for point in told["curve"]]
    assert shares[0] < 0.8
    assert shares[-1] == 1
    assert 100 < told["records_needed"]["median"] <= told["records_needed"]["interval"][1]
    assert any("still changes beyond half" in note for note in body["notes"])
    clear = negaudit.stability(tmp_path, ["far", "near"], statistics=["mean_psi"], config=StabilityConfig(100))
    assert clear["statistics"]["mean_psi"]["records_needed"]["median"] == 10
    with pytest.raises(NegauditError, match="did you mean 'mean_psi'"):
        negaudit.stability(tmp_path, statistics=["mean_ps"])


def two_kinds(tmp_path):
    """Two sources of 400 records: in short queries `a` has the larger psi, in the many long ones `b` has."""
    rng, record = np.random.default_rng(0), np.repeat(np.arange(400), 3)
    short = record < 100
    psi = {"a": np.where(short, 0.8, 0.4), "b": np.where(short, 0.5, 0.6)}
    ids = [f"q{i}" for i in range(400)]
    made = {n: source_of(n, pairs_of(record, p + rng.normal(0, 0.02, 1200), np.full(1200, 0.5)), ids) for n, p in psi.items()}
    table = tmp_path / "kinds.csv"
    table.write_text("query_id,kind,length\n" + "".join(f"q{i},{'short' if i < 100 else 'long'},{i}\n" for i in range(400)))
    return write_folder(tmp_path / "scored", made), table


def test_a_slice_that_reverses_the_order_is_warned_of(tmp_path):
    folder, table = two_kinds(tmp_path)
    body = negaudit.slices(folder, [], table=table, columns=["kind", "length"], replicates=100)
    assert [(r["by"], r["value"], r["first"], r["second"]) for r in body["reversals"]] == [
        ("kind", "short", "a", "b"),
        ("length", "up to 99.75", "a", "b"),
    ]
    assert any(note.startswith("WARNING") and "kind short" in note for note in body["notes"])
    assert [part["negatives"] for part in body["slices"]["kind"]] == [{"a": 900, "b": 900}, {"a": 300, "b": 300}]
    assert len(body["slices"]["length"]) == 4


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("query_id,kind\nzz,1\n", "kind", "no row is about a scored pair"),
        ("id,kind\nq1,1\n", "kind", "expected a column 'kind' and query_id or negative_id"),
        ("query_id,kind\nq1,1\n", "sort", "expected a column 'sort'"),
        ("query_id,kind\nq1,1\nq1,2\n", "kind", "two rows with other values of 'kind' share query_id"),
    ],
)
def test_a_table_that_cannot_be_joined_is_refused(tmp_path, text, column, message):
    folder, table = two_kinds(tmp_path)
    table.write_text(text)
    with pytest.raises(NegauditError, match=message):
        negaudit.slices(folder, [], table=table, columns=[column], replicates=5)
