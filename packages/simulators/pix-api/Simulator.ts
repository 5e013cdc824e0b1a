import { createServer } from "node:https"
import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { Landings } from "../kit/Landings.ts"
import { listen, listenerOf, type RouteList, serverOf } from "../kit/Routes.ts"
import { cobRoutes } from "./CobRoutes.ts"
import { Cobs } from "./Cobs.ts"
import { locationRoutes } from "./LocationRoutes.ts"
import { Locations } from "./Locations.ts"
import { type PixApiContext, pixApiFaultNames } from "./PixApiContext.ts"
import { type CobDecision, decideCob, pixApiControl } from "./PixApiControl.ts"
import { refusalOf } from "./PixApiErrors.ts"
import { pixApiPages } from "./PixApiPages.ts"
import { receiptRoutes } from "./ReceiptRoutes.ts"
import { type ReceiverSetup, Receivers } from "./Receivers.ts"
import { type BankCertificates, bankCertificates } from "./TestCertificates.ts"
import { tokenRoute } from "./TokenRoute.ts"
import { webhookRoutes } from "./WebhookRoutes.ts"

/** A simulated bank that listens with the standard API of the central bank. */
export interface PixApiSimulator {
  /** Its API and its tokens (`/oauth/token`), which demand a client certificate; also below `/api`, `/v2`, `/api/v2`. */
  readonly url: string
  /** Its control routes and the payer's bank, without TLS. */
  readonly controlUrl: string
  readonly certificates: BankCertificates
  readonly log: CallLog
  readonly faults: Faults
  readonly accounts: Receivers
  readonly cobs: Cobs
  /** Ends a charge by its txid, code or a text among its information; undefined for an unknown name. */
  readonly decide: (
    name: string,
    decision: CobDecision
  ) => { readonly moved: boolean; readonly status: string } | undefined
  readonly close: () => Promise<void>
}

/** The settings of a simulated bank. */
export interface PixApiOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Milliseconds from a refund to its end. */
  readonly workMs: number
  readonly accounts: ReadonlyArray<ReceiverSetup>
  /** Seconds for which a token is good; an hour unless given. */
  readonly tokenSeconds?: number
  /** Where its certificates are; new ones are made in memory unless given. */
  readonly certificateFolder?: string
}

/** The paths below which banks put the same routes. */
const prefixes = ["", "/api", "/v2", "/api/v2"]

/** Starts one on loopback; port 0 takes any free one. */
export const startPixApi = async (options: PixApiOptions, port = 0, controlPort = 0): Promise<PixApiSimulator> => {
  const { now, tokenSeconds = 3600, workMs } = options
  const certificates = bankCertificates(now(), options.certificateFolder)
  const log = new CallLog(now)
  const faults = new Faults(pixApiFaultNames)
  const receivers = new Receivers(log, faults, now)
  for (const account of options.accounts) receivers.setUp(account)
  const locations = new Locations(now)
  const cobs = new Cobs(receivers, locations, log, now)
  const landings = new Landings(now)
  const context: PixApiContext = { log, faults, landings, receivers, locations, cobs, now, workMs, tokenSeconds }
  const routes: RouteList = [
    ["POST /oauth/token", tokenRoute(context)],
    ...cobRoutes(context),
    ...receiptRoutes(context),
    ...webhookRoutes(context),
    ...locationRoutes(context)
  ]
  const below = prefixes.flatMap((prefix) =>
    routes.map(([pattern, handler]) => [pattern.replace(" ", ` ${prefix}`), handler] as const)
  )
  const server = createServer(
    { ...certificates.server, ca: certificates.ca, requestCert: true, rejectUnauthorized: true },
    listenerOf(below, () => refusalOf("not_found", "rota"))
  )
  server.keepAliveTimeout = 65_000
  // A refused handshake is the caller's to notice.
  server.on("tlsClientError", (error) => log.add("handshake", { outcome: "refused", reason: error.message }))
  const control = serverOf([...pixApiControl(context), ...pixApiPages(cobs)], () => refusalOf("not_found", "rota"))
  const url = await listen(server, port, "https")
  const controlUrl = await listen(control, controlPort).catch(async (error: unknown) => {
    await new Promise((resolve) => server.close(resolve))
    throw error
  })
  return {
    url,
    controlUrl,
    certificates,
    log,
    faults,
    accounts: receivers,
    cobs,
    decide: (name, decision) => decideCob(cobs, name, decision),
    close: async () => {
      receivers.close()
      cobs.close()
      landings.close()
      for (const one of [server, control]) {
        one.closeAllConnections()
        await new Promise((resolve) => one.close(resolve))
      }
    }
  }
}
