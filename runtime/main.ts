import { keepCompiledCode } from "./boot/CompiledCode.ts"
import { tellTerminal } from "./boot/Terminal.ts"
import packageJson from "./package.json" with { type: "json" }

// `npm start`: one process in the role that the settings name. Boot contract
// It imports little: a person sees the first line before the rest is loaded.

keepCompiledCode()
const [option] = process.argv.slice(2)
if (option === "--help" || option === "-h") {
  const { settingsHelp } = await import("./boot/Settings.ts")
  process.stdout.write(settingsHelp())
} else if (option !== undefined) {
  process.stderr.write(`${option}: npm start takes no options but --help; settings are variables of the environment\n`)
  process.exitCode = 2
} else {
  tellTerminal(`Carteiro ${packageJson.version} starts`)
  const { run } = await import("./app/Start.ts")
  run()
}
