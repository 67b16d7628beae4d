# shellcheck shell=bash
# The logs, the health and the doctor, on the instance of operator.sh.

rotates_logs() {
    local logs log
    logs=$(real_home)/log
    for log in worker nginx-access postgres; do
        head -c 1200000 /dev/zero | tr '\0' x >>"$logs/$log.log"
    done
    for log in worker nginx-access postgres; do
        await test -s "$logs/$log.log.1"
        await is_small "$logs/$log.log"
    done
    trial_serves /development/config
    await grep -q '"path":"/development/config"' "$logs/nginx-access.log"
    run_trial --reload
    grep 'environments file read again' "$logs/worker.log"
    ! grep -a xxxxx "$logs/worker.log" || return 1
}

is_small() {
    (($(stat -c %s "$1") < 1000000))
}

# Expects one new backup of each environment, because the older backups are from before the start and over a day old.
makes_daily_backups() {
    local folder file
    folder=$(real_home)/backups
    for environment in development staging production; do
        await has_backup_of_today "$environment"
    done
    file=$(newest_in "$folder/development")
    "$trial_home/bin/almanac" backup inspect "$file" | grep -E '^environment +development'
    [[ $(stat -c %a "$folder" "$file" | tr '\n' ' ') == '700 600 ' ]]
}

# Checks that a second start on the same day makes no backup before the night.
waits_for_night() {
    local folder
    folder=$(real_home)/backups
    await is_waiting_for_night "$folder"
    [[ $(find "$folder/development" -name '*.dump' -mmin -1400 | wc -l) == 1 ]]
}

newest_in() {
    find "$1" -name '*.dump' | LC_ALL=C sort | tail -n 1
}

has_backup_of_today() {
    [[ -n $(find "$(real_home)/backups/$1" -name '*.dump' -mmin -1400) ]]
}

is_waiting_for_night() {
    local pid
    for pid in $(processes_in "$1"); do
        [[ $(command_line "$pid") != "sleep "* ]] || return 0
    done
    return 1
}

logs_hold_no_searches() {
    local logs service path
    logs=$(real_home)/log
    for service in worker events; do
        run_trial --stop-service "$service"
    done
    for path in /development/notes /Development/notes /development/events / /style.css /-/ready /nowhere.txt; do
        trial_status "$path?q=geheimnis" -H 'Referer: https://example.com/geheimnis' -H 'Authorization: Bearer geheimnis' || true
        trial_status "$path?q=geheimnis" -X DELETE --data-binary "@$trial_home/environments.json" || true
    done
    head -c 5000000 /dev/zero | trial_status "/development/notes?q=geheimnis" -T - || true
    for service in worker events; do
        run_trial --start-service "$service"
    done
    await is_all_ready
    trial_serves '/development/config?since=0'
    curl -sS --noproxy '*' --cacert "$trial_home/tls/ca.pem" -o /dev/null "https://staging.localhost:$trial_port/config?since=0"
    await grep -q '"host":"staging.localhost","environment":"staging".*"path":"/config","status":200' "$logs/nginx-access.log"
    grep '"path":"/development/config","status":200' "$logs/nginx-access.log" | grep '"environment":"development"'
    grep '"path":"/development/notes","status":502' "$logs/nginx-access.log" | grep '"worker_status":"502"'
    ! grep -ar geheimnis "$logs" || return 1
}

# Starts an nginx with this release's files on another port: the port, an edit of the files. No worker answers there.
start_site() {
    local folder
    site_folder=$(real_home)/site
    folder=$site_folder
    rm -rf -- "$folder"
    mkdir "$folder"
    cp "$(real_home)"/nginx/*.conf "$folder/"
    sed -i -e "s#:$trial_port #:$1 #" -e "s#$(real_home)/\\(nginx\\|log\\|run\\)[^\";]*/#$folder/#g" \
        -e "s#$(real_home)/\\(nginx\\|log\\|run\\)#$folder#g" -e "$2" "$folder"/{nginx,pages}.conf
    env "PATH=$PATH:/usr/sbin" nginx -p "$folder" -e "$folder/nginx-error.log" -c "$folder/nginx.conf"
}

stop_site() {
    end_process "$(<"$site_folder/nginx.pid")" TERM 10
}

# Checks a site without an error_log directive, as earlier releases wrote it. deploy/install leaves such a site alone.
older_site_logs_no_searches() {
    local site_port
    take_free_port site_port $((trial_port + 1))
    start_site "$site_port" '/^    error_log .* emerg;/d'
    trap stop_site EXIT
    for path in /development/notes /development/events /Development/notes /-/ready; do
        [[ $(curl -sk --max-time 60 -o /dev/null -w '%{http_code}' -H 'Referer: https://example.com/geheimnis' "https://localhost:$site_port$path?q=geheimnis") == 502 ]]
    done
    cat "$site_folder/nginx-error.log"
    ! grep -r geheimnis "$site_folder" || return 1
}

tells_load_balancers() {
    local path
    # Another host may read only this health check.
    for path in /-/healthy /-/events/healthy; do
        [[ $(trial_status "$path" --interface 127.0.0.2 --resolve "localhost:$trial_port:127.0.0.1") == 200 ]]
    done
    run_trial --stop-service postgres
    trial_serves /-/healthy
    run_trial --start-service postgres
    run_trial --stop-service events
    [[ $(trial_status /-/events/healthy) == 502 ]]
    trial_serves /-/healthy
    run_trial --start-service events
    run_trial --stop-service worker
    [[ $(trial_status /-/healthy) == 502 ]]
    run_trial --start-service worker
    await is_all_ready
    [[ $(trial_status /-/metrics --interface 127.0.0.2 --resolve "localhost:$trial_port:127.0.0.1") == 403 ]]
}

listens_on_another_address() {
    local address=127.0.0.7
    trial_serves /development/config --resolve "localhost:$trial_port:$address"
    trial_serves /development/config
    ! trial_status /-/live --resolve "localhost:$trial_port:127.0.0.8" || return 1
    ALMANAC_ADDRESS=0.0.0.0 fails_with 'the instance runs on address .*, not on ALMANAC_ADDRESS' run_trial --detach
}

doctor() {
    "$trial_home/bin/almanac" doctor --environments "$trial_home/environments.json" >"$results/doctor" 2>&1 || true
    cat "$results/doctor"
}

doctor_sees_unreadable_secret() {
    local secret
    ((EUID == 0)) || return 0
    secret=$(real_home)/secrets/worker.password
    doctor
    grep "^ok .*programs' user .*'www-data', which runs the programs, can read exactly the files that it needs" "$results/doctor"
    grep '^no check failed' "$results/doctor"
    chmod 000 "$secret"
    doctor
    chmod 600 "$secret"
    grep "^FAIL .*programs' user .*worker.password .*'www-data', which runs the programs, cannot read it" "$results/doctor"
    # The programs must not read the owner's password.
    chown www-data "$(real_home)/secrets/owner.password"
    doctor
    chown root "$(real_home)/secrets/owner.password"
    grep "^FAIL .*programs' user .*owner.password .*can read the owner's password" "$results/doctor"
}

doctor_looks_at_instance() {
    doctor
    grep "^ok .*socket .*run/sockets/worker.sock" "$results/doctor"
    grep "^ok .*health .*https://localhost:$trial_port" "$results/doctor"
    grep -E "^(ok|WARN) .*disk .*a home .*MB are free" "$results/doctor"
    change_file "$(real_home)/nginx/nginx.conf" sed '1s/^/nonsense;\n/'
    doctor
    grep '^FAIL .*nginx .*nginx/nginx.conf .*unknown directive "nonsense"' "$results/doctor"
    put_back
    # Mount a small disk for the log.
    ((EUID == 0)) && mount -t tmpfs -o size=20m almanac-small-disk "$(real_home)/log" || return 0
    trap 'umount -l "$(real_home)/log"' EXIT
    doctor
    grep -E '^FAIL .*disk .*a home/log .*[0-9]+ MB of 20 MB are free' "$results/doctor"
}

doctor_names_what_it_skips() {
    local file=$trial_home/environments.json
    doctor
    grep '^not checked: .*identity provider (staging)' "$results/doctor"
    grep -E '^(ok|WARN|--) .*clock +this machine' "$results/doctor"
    grep -E '^(ok|WARN|--) .*backup +development' "$results/doctor"
    jq '{development}' "$file" >"$results/elsewhere.json"
    "$trial_home/bin/almanac" doctor --environments "$results/elsewhere.json" >"$results/doctor" 2>&1 || true
    cat "$results/doctor"
    grep "^--.*programs' user .*no running program reads this file" "$results/doctor"
    grep "^not checked: .*programs' user" "$results/doctor"
}
