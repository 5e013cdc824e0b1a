import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { listen, serverOf } from "../kit/Routes.ts"
import { Groups, groupFaults } from "./account/Groups.ts"
import { mediaFaults } from "./account/Media.ts"
import { Registration, registrationFaults } from "./account/Registration.ts"
import { controlRoutes } from "./control/ControlRoutes.ts"
import { graphRoutes } from "./GraphRoutes.ts"
import { callFaults } from "./HurtCalls.ts"
import { Messages, messageFaults } from "./message/Messages.ts"
import { Notices, webhookFaults } from "./Notices.ts"
import { recorded } from "./Recording.ts"
import { Templates } from "./Templates.ts"
import { vendorError } from "./VendorErrors.ts"
import { type UpstreamOptions, World } from "./World.ts"

/** A simulated chat platform that listens. */
export interface UpstreamSimulator {
  readonly url: string
  readonly log: CallLog
  readonly faults: Faults
  readonly world: World
  readonly notices: Notices
  readonly templates: Templates
  readonly close: () => Promise<void>
}

/** Starts one on loopback; port 0 takes any free one. */
export const startUpstream = async (options: UpstreamOptions, port = 0): Promise<UpstreamSimulator> => {
  const world = new World(options)
  const log = new CallLog(options.now)
  const faults = new Faults([
    ...new Set([...messageFaults, ...callFaults, ...webhookFaults, ...mediaFaults, ...groupFaults]),
    ...registrationFaults,
    "accounts_down"
  ])
  const notices = new Notices(world, log, faults)
  const messages = new Messages(world, notices, faults, log)
  const templates = new Templates(world, notices, faults, log)
  const groups = new Groups(world, notices, faults, log)
  const registration = new Registration(world, faults, log)
  const routes = [
    ...controlRoutes({ world, log, faults, notices, templates, groups }),
    ...recorded(world, log, graphRoutes({ world, log, faults, notices, messages, templates, groups, registration }))
  ]
  const server = serverOf(routes, (call) => vendorError(100, `no route for ${call.method} ${call.path}`))
  const url = await listen(server, port)
  return {
    url,
    log,
    faults,
    world,
    notices,
    templates,
    close: () => {
      messages.close()
      templates.close()
      groups.close()
      notices.close()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}
