import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { type Answered, type Call, type Handler, listen, type RouteList, serverOf } from "../kit/Routes.ts"
import { controlRoutes } from "./Control.ts"
import { Messages, messageFaults } from "./Messages.ts"
import { Notices, webhookFaults } from "./Notices.ts"
import { vendorError } from "./VendorErrors.ts"
import { type AccountSetup, type SimNumber, type UpstreamOptions, World } from "./World.ts"

/** A simulated chat platform that listens. */
export interface UpstreamSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly world: World
  readonly notices: Notices
  readonly add: (account: AccountSetup) => void
  readonly close: () => Promise<void>
}

/** Starts one on loopback; port 0 takes any free one. */
export const startUpstream = async (options: UpstreamOptions, port = 0): Promise<UpstreamSimulator> => {
  const world = new World(options)
  const log = new CallLog(options.now)
  const faults = new Faults([...messageFaults, ...webhookFaults])
  const notices = new Notices(world, log, faults)
  const messages = new Messages(world, notices, faults, log)

  const tokenOf = ({ headers, query }: Call): string | undefined =>
    /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? query.get("access_token") ?? undefined

  const ofNumber =
    (handle: (number: SimNumber, call: Call) => Answered | undefined | Promise<Answered | undefined>): Handler =>
    (call) => {
      const token = tokenOf(call)
      if (token === undefined || !world.tokens.has(token)) return vendorError(190)
      const number = world.numbers.get(call.places[1] ?? "")
      if (number === undefined || !world.reaches(token, number.biz_account_id))
        return vendorError(100, "no such object")
      return handle(number, call)
    }

  const routes: RouteList = [
    ...controlRoutes({ world, log, faults, notices }),
    ["POST /{}/{}/messages", ofNumber((number, call) => messages.post(number, call))]
  ]
  const server = serverOf(routes, (call) => vendorError(100, `no route for ${call.method} ${call.path}`))
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    world,
    notices,
    add: (account) => world.add(account),
    close: () => {
      messages.close()
      notices.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
