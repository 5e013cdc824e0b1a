# The helper of every guide, for bash and zsh. In the folder of the clone, while `npm start` runs:
#
#   . docs/api.sh
#
# It needs curl and Node.js, reads .carteiro/dev.json, and sets these:
#
#   api PATH …     calls /v1/PATH of the sandbox; further words go to curl
#   live PATH …    calls /v1/PATH of production, where simulators stand for the vendors
#   pick A B …     reads an answer and prints the member A, or the members A, B, … in one line
#   rows A B …     does so for each item of a list
#   until_is A=X … repeats the command behind it until the member A of its answer is X, for a minute at most
#   dev NAME       prints a value of dev.json, such as simulators.upstream
#   B, K, N        base URL, sandbox key, id of the sandbox number

[ -z "$ZSH_VERSION" ] || setopt interactive_comments    # zsh otherwise reads the comments of the guides as words

DEV=${CARTEIRO_DATA_DIR:-$PWD/.carteiro}/dev.json
if [ ! -f "$DEV" ]; then
  echo "There is no $DEV yet: run npm start, and come here in the same folder." >&2
  return 1
fi

dev() {
  node -p 'process.argv[2].split(".").reduce((at, name) => at[name], JSON.parse(fs.readFileSync(process.argv[1], "utf8")))' "$DEV" "$1"
}

api() { curl -sS -w '\n' -H "Authorization: Bearer $K" -H 'Content-Type: application/json' "$B/v1/$@"; }
live() { K=$LIVE api "$@"; }

_read() {
  node -e '
    const [how, ...paths] = process.argv.slice(1)
    const text = fs.readFileSync(0, "utf8")
    if (!text.trim().startsWith("{")) { console.error(text || "There was no answer."); process.exit(1) }
    const answer = JSON.parse(text)
    const member = (of, path) => path.split(".").reduce((at, name) => at?.[name], of) ?? null
    const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value))
    const shown = (of) => paths.length === 1 ? plain(member(of, paths[0]))
      : JSON.stringify(Object.fromEntries(paths.map((path) => [path, member(of, path)])))
    const [path, wanted] = (paths[0] ?? "").split("=")
    if (how === "is") process.exit((wanted === undefined ? member(answer, path) !== null : plain(member(answer, path)) === wanted) ? 0 : 1)
    if (answer.error && !paths[0].startsWith("error")) { console.error(JSON.stringify(answer)); process.exit(1) }
    for (const of of how === "rows" ? answer.data : [answer]) console.log(shown(of))
  ' "$@"
}
pick() { _read pick "$@"; }
rows() { _read rows "$@"; }

until_is() {
  _wanted=$1; shift; _tries=120
  while :; do
    _answer=$("$@")
    if printf '%s' "$_answer" | _read is "$_wanted"; then printf '%s\n' "$_answer"; return 0; fi
    _tries=$((_tries - 1))
    if [ $_tries -eq 0 ]; then printf '%s\n' "$_answer" "It is not $_wanted after a minute." >&2; return 1; fi
    sleep 0.4
  done
}

B=$(dev base_url); K=$(dev sandbox.api_key); LIVE=$(dev production.api_key); N=$(dev sandbox.phone_number_id)
