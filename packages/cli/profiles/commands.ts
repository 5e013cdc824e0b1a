import { type Declare, examples } from "../shell/Commands.ts"
import type { LoginOptions } from "./Login.ts"

/** Keys on this machine: login, logout, whoami, switch. */
export const profileCommands: Declare = (parent, shellOf) => {
  const login = parent
    .command("login")
    .description("get a key: a person approves it in the browser")
    .option("--production", "a key of production, without writing to billing and payments")
    .option("--name <name>", "how the key is called in the console")
    .option("--no-browser", "print the address and open nothing")
    .action(async (options: LoginOptions, command) => (await import("./Login.ts")).login(shellOf(command), options))
  examples(login, "login", "login --production", "login --api-base https://api.example.com")

  const logout = parent
    .command("logout")
    .description("delete the key of the profile in use from this machine")
    .action(async (_: object, command) => (await import("./Whoami.ts")).logout(shellOf(command)))
  examples(logout, "logout", "logout --profile loja-production")

  const whoami = parent
    .command("whoami")
    .description("show the key in use, its project, environment and scopes")
    .action(async (_: object, command) => (await import("./Whoami.ts")).whoami(shellOf(command)))
  examples(whoami, "whoami", "whoami --json")

  const change = parent
    .command("switch")
    .argument("[profile]", "the profile to use from now on")
    .description("list the profiles of this machine, or use another one")
    .action(async (name: string | undefined, _: object, command) =>
      (await import("./Whoami.ts")).switchProfile(shellOf(command), name)
    )
  examples(change, "switch", "switch loja-sandbox")
}
