import { Effect } from "effect"
import type { SimulatorMembers } from "../DevFile.ts"
import { freePort } from "../FreePort.ts"
import type { Simulator } from "./Simulator.ts"

/** Returns where dev.json has the addresses of a simulator, by the option that sets the port of each. */
const addressesOf = ({
  controlMember,
  member,
  name
}: Simulator): ReadonlyArray<readonly [option: string, member: keyof SimulatorMembers]> => [
  ["--port", member ?? (name as keyof SimulatorMembers)],
  ...(controlMember === undefined ? [] : [["--control-port", controlMember] as const])
]

/** Returns the port of an address of this machine; undefined for every other, such as that of a vendor. */
const localPort = (address: SimulatorMembers[keyof SimulatorMembers]): number | undefined => {
  const url = typeof address === "string" ? URL.parse(address) : null
  return url?.hostname === "127.0.0.1" && url.port !== "" ? Number(url.port) : undefined
}

/** Returns the options for the ports of a simulator: those of the last start, and free ones where there are none. */
export const portOptions = (simulator: Simulator, last: SimulatorMembers): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    Effect.forEach(addressesOf(simulator), ([option, member]) => {
      const port = localPort(last[member])
      return Effect.map(port === undefined ? freePort() : Effect.succeed(port), (free) => [option, String(free)])
    }),
    (options) => options.flat()
  )

/** Warns of each address that is another one than at the last start, since its port is taken. */
export const tellChangedPorts = (simulator: Simulator, last: SimulatorMembers, present: SimulatorMembers) =>
  Effect.forEach(
    addressesOf(simulator),
    ([, member]) => {
      const before = localPort(last[member])
      const after = localPort(present[member])
      if (before === undefined || after === undefined || before === after) return Effect.void
      return Effect.logWarning(`port ${before} of a simulated vendor is taken; it listens at ${after} from now on`, {
        simulator: member,
        do: "connect accounts that have the old address anew"
      })
    },
    { discard: true }
  )
