# shellcheck shell=bash
# The metrics and alerts of an instance, checked with Prometheus' own tool.

check_monitoring() {
    begin_part "Monitoring"
    fetch_promtool
    check "the alerts are valid rules" alerts_are_valid
    check "the alerts are raised, and kept back, as their tests say" alerts_pass_their_tests
    # The test of the alerts takes 4 s of processor time.
    [[ $ALMANAC_TEST_DEPTH != long ]] || check "a mistake in the alerts would be found" wrong_alert_fails
    check "the metrics of a running instance are what Prometheus reads" live_metrics_are_valid
    check "metrics are for the host itself only" metrics_are_local
}

alerts_are_valid() {
    "$promtool" check rules "$checkout/deploy/monitoring/alerts.yaml"
}

alerts_pass_their_tests() {
    "$promtool" test rules "$checkout/deploy/monitoring/alerts.test.yaml"
}

wrong_alert_fails() {
    mkdir -- "$results/monitoring"
    cp -- "$checkout"/deploy/monitoring/alerts*.yaml "$results/monitoring"
    sed -i 's/almanac_config_stale == 1/almanac_config_stale == 2/' "$results/monitoring/alerts.yaml"
    ! "$promtool" test rules "$results/monitoring/alerts.test.yaml" || return 1
}

live_metrics_are_valid() {
    fetch /development/config
    fetch /development/config/missing
    fetch /-/metrics
    status_is 200
    has_header content-type 'text/plain; version=0.0.4; charset=utf-8'
    # promtool prints nothing if it finds no fault.
    "$promtool" check metrics <"$results/body" >"$results/faults" 2>&1
    cat -- "$results/faults"
    [[ ! -s $results/faults ]]
    grep -q '^almanac_http_requests_total{environment="development",route="/{environment}/config",method="GET",status="200"} [1-9]' "$results/body"
    grep -q '^almanac_http_request_duration_seconds_bucket{.*le="+Inf"} [1-9]' "$results/body"
}

metrics_are_local() {
    fetch /-/metrics --resolve "localhost:$port:127.0.0.1" --interface 127.0.0.2
    is_problem 403 local-only
}
