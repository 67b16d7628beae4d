# shellcheck shell=bash
# The scripts, and the configuration of the instance under test.

check_scripts() {
    local script
    begin_part "Scripts"
    for script in "$checkout"/deploy/{run,test,test-containers,install,package,setup,debian/{preinst,postinst,prerm,postrm},lib/{rotate-logs,nightly-backups}} "$checkout"/.ci/run \
        "$checkout"/Tests/{Failover/{run,hosts,patroni,auto-failover},Load/{console,evaluation}/run,Web/{run,screenshots,engines/run},OpenFeature/{run,differential},Generators/{run,kotlin/run}} \
        "$checkout"/Sources/Web/wasm/build "$checkout"/{deploy/{lib,containers},Sources/Web/wasm}/*.sh \
        "$checkout"/Tests/{Checks,Checks/containers,Failover,Web,OpenFeature}/*.sh \
        "$checkout"/deploy/completion/*.bash; do
        check "shellcheck finds nothing in ${script#"$checkout"/}" shellcheck_one "$script"
    done
    check "no script and no page of the documentation has more than 400 lines" files_stay_short
}

check_configuration() {
    begin_part "Configuration"
    check "nginx accepts its configuration without a warning" nginx_accepts_configuration
    check "environments.json holds no password" no_password_in_environments_file
    check "secrets are readable by one user only" secrets_are_private
}

shellcheck_one() {
    # The files share their variables, and some of their paths exist only in a container.
    shellcheck -e SC1091 -e SC2034 -e SC2154 -- "$1"
}

files_stay_short() {
    find "$checkout" \( -path "$checkout/.*" -o -path '*/Tests/Web/moving' \) -prune -o -type f \
        \( -name '*.sh' -o -name '*.md' -o -path '*/deploy/*' -perm /111 \) -print0 |
        xargs -0 awk 'FNR == 401 { print FILENAME }' >"$results/long"
    cat -- "$results/long"
    [[ ! -s $results/long ]]
}

nginx_accepts_configuration() {
    nginx -t >"$results/nginx" 2>&1
    cat -- "$results/nginx"
    ! grep -E '\[(warn|error|emerg)\]' "$results/nginx" || return 1
}

no_password_in_environments_file() {
    ! grep -qF "$(<"$secrets/worker.password")" "$environments_file" || return 1
    ! grep -qF "$(<"$secrets/owner.password")" "$environments_file" || return 1
}

secrets_are_private() {
    local file
    for file in "$secrets"/* "$tokens"/* "$tls"/*.key; do
        [[ $(stat -c %a -- "$file") == 600 ]]
    done
    [[ $(stat -c %a -- "$data") == 700 ]]
}
