// The last step of `npm ci`, by whatever Node.js npm itself runs on: tells in one line why the commands could not start.

const { spawnSync } = require("node:child_process")

const node = spawnSync("node_modules/.bin/node", ["--version"], { encoding: "utf8" })
const is24 = node.status === 0 && /^v24\./.test(node.stdout)

if (process.platform === "win32") {
  refuse("Carteiro does not run on Windows itself: run npm ci inside WSL (wsl --install)")
} else if (!is24) {
  refuse(
    `npm has brought no Node.js 24 that runs on ${process.platform} ${process.arch}: on Linux and macOS, x64 and arm64, run npm ci again, with a network; elsewhere run npm ci --ignore-scripts and link your own to node_modules/.bin/node`
  )
}

function refuse(line) {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}
