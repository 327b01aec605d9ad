# SPDX-License-Identifier: GPL-3.0-or-later
# Drives Debian's Chromium, headless, through WebDriver. Source this file after tap.sh, once
# chromium, chromedriver, curl and jq are known to be there. All its files are in $T.
# shellcheck shell=sh

driver='' session='' base=''

# browser_start [PREFERENCES]: a browser of its own, with the preferences (JSON)
browser_start() {
	profile=$(mktemp -d "$T/profile.XXXXXX")
	if [ -z "$driver" ]; then
		chromedriver --port=0 >"$T/driver.out" 2>&1 &
		driver=$!
		trap 'browser_end; rm -rf "$T"' EXIT
		wait_long grep -q 'successfully on port' "$T/driver.out" || return
		base=http://127.0.0.1:$(sed -n 's/.*successfully on port \([0-9]*\).*/\1/p' "$T/driver.out")
	fi
	session=$(jq -n --arg profile "$profile" --argjson preferences "${1:-{\}}" '
		{ capabilities: { alwaysMatch: {
			"goog:loggingPrefs": { browser: "ALL" },
			"goog:chromeOptions": { binary: "/usr/bin/chromium", prefs: $preferences, args: [
				"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-dev-shm-usage", "--disable-background-networking",
				"--disable-component-update", "--disable-sync", "--hide-scrollbars",
				"--window-size=1400,1000", "--user-data-dir=\($profile)" ] } } } }' |
		curl -s --noproxy '*' -d @- "$base/session" | jq -r .value.sessionId)
	[ -n "$session" ] && [ "$session" != null ]
}
# ask METHOD PATH [JSON]: the JSON that the driver answers to a command of the session
ask() {
	set -- "$1" "$base/session/$session$2" "${3:-}"
	if [ "$1" = POST ]; then
		curl -s --noproxy '*' -H 'Content-Type: application/json' -d "${3:-{\}}" "$2"
	else
		curl -s --noproxy '*' -X "$1" "$2"
	fi
}
# act METHOD PATH [JSON]: a command whose answer does not matter. Starting jq takes three times as long as curl.
act() { ask "$@" >/dev/null; }
# wd METHOD PATH [JSON]: the value that the driver answers to a command of the session
wd() { ask "$@" | jq -r 'if .value | type == "object" and has("error") then "error: " + .value.message else .value end'; }
# json_text TEXT: the text as a string of JSON
json_text() { printf '"%s"' "$(printf '%s' "$1" | sed -z 's/["\\]/\\&/g; s/\t/\\t/g; s/\n/\\n/g')"; }
browser_quit() { [ -z "$session" ] || act DELETE ''; session=''; }
browser_end() {
	browser_quit
	[ -z "$driver" ] || { kill "$driver" && wait "$driver"; } 2>/dev/null
	driver=''
}
go() { act POST /url "{ \"url\": $(json_text "$1") }"; }
# js SCRIPT: what it returns
js() { wd POST /execute/sync "{ \"script\": $(json_text "$1"), \"args\": [] }"; }
# found CSS: the number of the first element
found() {
	ask POST /element "{ \"using\": \"css selector\", \"value\": $(json_text "$1") }" |
		sed -n 's/.*"element-[^"]*": *"\([^"]*\)".*/\1/p'
}
click() { act POST "/element/$(found "$1")/click"; }
# type CSS TEXT: into a field
type_into() { act POST "/element/$(found "$1")/value" "{ \"text\": $(json_text "$2") }"; }
# press KEY...: to what has the focus; a key is a character or its name
press() {
	for key; do
		case $key in
		Escape) key='\ue00c' ;;
		Enter) key='\ue007' ;;
		Up) key='\ue013' ;;
		Down) key='\ue015' ;;
		Left) key='\ue012' ;;
		Right) key='\ue014' ;;
		Tab) key='\ue004' ;;
		esac
		act POST /actions '{ "actions": [ { "type": "key", "id": "keys", "actions": [
			{ "type": "keyDown", "value": "'"$key"'" }, { "type": "keyUp", "value": "'"$key"'" } ] } ] }'
	done
}
# emulate WIDTH HEIGHT THEME [MEDIA]: a window, and what the page knows of the reader's wishes
emulate() {
	cdp Emulation.setDeviceMetricsOverride \
		"{ \"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false }"
	cdp Emulation.setEmulatedMedia \
		"{ \"media\": \"${4:-}\", \"features\": [{ \"name\": \"prefers-color-scheme\", \"value\": \"$3\" }] }"
}
# cdp COMMAND PARAMETERS: of the DevTools protocol
cdp() { act POST /goog/cdp/execute "{ \"cmd\": \"$1\", \"params\": $2 }"; }
# point X Y: moves the mouse in the window
point() {
	act POST /actions '{ "actions": [ { "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" }, "actions": [
		{ "type": "pointerMove", "duration": 0, "x": '"$1"', "y": '"$2"' } ] } ] }'
}
# complaints: prints the browser's log of errors and warnings, and empties it
complaints() { wd POST /se/log '{ "type": "browser" }' | jq -r '.[] | "\(.level) \(.message)"'; }
screenshot() { wd GET /screenshot | base64 -d >"$1"; }
