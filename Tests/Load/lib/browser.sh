# shellcheck shell=bash
# Shared steps of measurements in Chromium: a new or running instance, and a browser that trusts it.

clean_up() {
    local status=$?
    trap - EXIT ERR
    trap '' INT TERM HUP
    [[ -n $chosen_home ]] || stop_instance
    rm -rf -- "$folder"
    exit "$status"
}

# Checks that the named settings are whole numbers.
check_numbers() {
    local name
    for name in "$@"; do
        [[ ${!name} =~ ^[1-9][0-9]{0,4}$ ]] ||
            fail "ALMANAC_LOAD_${name^^} must be a number from 1 to 99999, not \"${!name}\""
    done
}

# Prepares `folder`, which is deleted at the end, and `instance` for a measurement.
prepare_browser_measurement() {
    make_folder
    install_packages "${browser_packages[@]}"
    prepare_browser_programs
    if [[ -n $chosen_home ]]; then
        instance=$chosen_home
    else
        instance_port=$(free_port 19100)
        start_instance
    fi
    instance=$(readlink -f -- "$instance")
    prepare_browser_profile "$instance/tls/ca.pem" "$folder/chromium"
}
