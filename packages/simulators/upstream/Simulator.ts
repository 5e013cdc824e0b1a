import { CallLog } from "../kit/CallLog.ts"
import { Faults } from "../kit/Faults.ts"
import { type Answered, type Call, type Handler, listen, type RouteList, serverOf } from "../kit/Routes.ts"
import { createFlow, describeFlow, listFlows, moveFlow, removeFlow, uploadFlow } from "./account/Flows.ts"
import { Groups, groupFaults } from "./account/Groups.ts"
import { describeFile, mediaFaults, sendFile, takeFile } from "./account/Media.ts"
import { describeNumber, listNumbers } from "./account/Numbers.ts"
import { Registration, registrationFaults } from "./account/Registration.ts"
import { consentDialog, debugToken, describeAccount, exchangeCode } from "./account/Tokens.ts"
import { listAccounts } from "./app/Businesses.ts"
import { checkProof } from "./app/Proof.ts"
import { listSubscriptions, subscribeApp, unsubscribeApp } from "./app/Subscriptions.ts"
import { beginUpload, continueUpload, describeUpload } from "./app/Uploads.ts"
import { controlRoutes } from "./Control.ts"
import { callFaults, hurtCall } from "./HurtCalls.ts"
import { Messages, messageFaults } from "./message/Messages.ts"
import { Notices, webhookFaults } from "./Notices.ts"
import { Templates } from "./Templates.ts"
import { vendorError } from "./VendorErrors.ts"
import {
  type SimFile,
  type SimFlow,
  type SimGroup,
  type SimNumber,
  type SimTemplate,
  type UpstreamOptions,
  World
} from "./World.ts"

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

type MaybeLater = Answered | undefined | Promise<Answered | undefined>

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

  const tokenOf = ({ headers, query }: Call): string | undefined =>
    /^(?:Bearer|OAuth) (.+)$/.exec(headers.authorization ?? "")?.[1] ?? query.get("access_token") ?? undefined

  /** Makes a route about the thing in the second segment, of an account that the caller's token reaches. */
  const of =
    <A extends { readonly biz_account_id: string }>(
      find: (id: string) => A | undefined,
      handle: (thing: A, call: Call) => MaybeLater
    ): Handler =>
    (call) => {
      const token = tokenOf(call)
      if (token === undefined || !world.tokens.has(token)) return vendorError(190)
      const unproven = checkProof(world, token, call)
      if (unproven !== undefined) return unproven
      const thing = find(call.places[1] ?? "")
      if (thing === undefined || !world.reaches(token, thing.biz_account_id)) return vendorError(100, "no such object")
      return handle(thing, call)
    }

  const ofNumber = (handle: (number: SimNumber, call: Call) => MaybeLater) => of((id) => world.numbers.get(id), handle)
  const hurt = (operation: string, call: Call, run: () => Answered) => hurtCall(faults, operation, call, run)
  const ofFlow = (handle: (flow: SimFlow, call: Call) => Answered) =>
    of(
      (id) => world.flows.get(id),
      (flow, call) => hurt("flows", call, () => handle(flow, call))
    )
  const ofGroup = (handle: (group: SimGroup, call: Call) => MaybeLater) => of((id) => world.groups.get(id), handle)
  const ofAccount = (handle: (biz_account_id: string, call: Call) => MaybeLater) =>
    of(
      (id) => ({ biz_account_id: id }),
      ({ biz_account_id }, call) => handle(biz_account_id, call)
    )
  const ofFile =
    (place: number, handle: (file: SimFile, call: Call) => Answered | undefined): Handler =>
    (call) => {
      const token = tokenOf(call)
      if (token === undefined || !world.tokens.has(token)) return vendorError(190)
      const file = world.files.get(call.places[place] ?? "")
      return file === undefined ? vendorError(100, "no such object") : handle(file, call)
    }

  /** The app's own token, or that of one of its accounts. */
  const ofApp =
    (handle: (call: Call, token: string) => Answered): Handler =>
    (call) => {
      const token = tokenOf(call)
      const own = `${options.appId}|${options.appSecret}`
      if (token === undefined || !(world.tokens.has(token) || token === own)) return vendorError(190)
      return (token === own ? undefined : checkProof(world, token, call)) ?? handle(call, token)
    }
  const uploadOf = (call: Call) => world.uploads.get(`${call.places[1]}?sig=${call.query.get("sig")}`)
  const uploaded = ofApp((call) => {
    const session = uploadOf(call)
    return session === undefined ? vendorError(100, "no such object") : continueUpload(world, session, call)
  })
  const accountsOf = (kind: "owned" | "client") =>
    ofApp((call, token) => listAccounts(world, call.places[1] ?? "", kind, token))

  const accountsDown = (): Answered | undefined =>
    faults.hit(["accounts_down"], { operation: "accounts" }) === undefined ? undefined : vendorError(131016)

  const templateOf = (id: string): SimTemplate | undefined => world.templates.get(id)
  const described: Handler = (call) => {
    const id = call.places[1] ?? ""
    if (world.numbers.has(id)) {
      return ofNumber((number) => hurt("numbers", call, () => describeNumber(number, call)))(call)
    }
    const session = uploadOf(call)
    if (session !== undefined) return ofApp(() => describeUpload(session))(call)
    if (world.flows.has(id)) return ofFlow((flow) => describeFlow(flow))(call)
    if (world.isAccount(id)) return ofAccount((account) => accountsDown() ?? describeAccount(world, account))(call)
    return ofFile(1, (file) => describeFile(faults, file, call))(call)
  }

  const changed: Handler = (call) => {
    const id = call.places[1] ?? ""
    if (id.startsWith("upload:")) return uploaded(call)
    if (world.numbers.has(id)) return ofNumber((number) => registration.change(number, call))(call)
    return of(templateOf, (_template) => templates.change(call))(call)
  }

  const routes: RouteList = [
    ...controlRoutes({ world, log, faults, notices, templates, groups }),
    ["GET /download/{}", ofFile(0, (file, call) => sendFile(world, faults, file, call))],
    ["GET /{}/debug_token", (call) => debugToken(world, call)],
    ["GET /{}/dialog/oauth", (call) => consentDialog(world, call)],
    ["GET /{}/oauth/access_token", (call) => exchangeCode(world, call)],
    ["POST /{}/{}/messages", ofNumber((number, call) => messages.post(number, call))],
    ["POST /{}/{}/media", ofNumber((_number, call) => takeFile(world, faults, log, call))],
    ["GET /{}/{}/phone_numbers", ofAccount((account) => accountsDown() ?? listNumbers(world, account))],
    ["POST /{}/{}/phone_numbers", ofAccount((account, call) => registration.add(account, call))],
    ["POST /{}/{}/request_code", ofNumber((number, call) => registration.requestCode(number, call))],
    ["POST /{}/{}/verify_code", ofNumber((number, call) => registration.verifyCode(number, call))],
    ["POST /{}/{}/register", ofNumber((number, call) => registration.register(number, call))],
    ["POST /{}/{}/deregister", ofNumber((number, call) => registration.deregister(number, call))],
    [
      "POST /{}/{}/subscribed_apps",
      ofAccount((account, call) => hurt("subscribed_apps", call, () => subscribeApp(world, account, call)))
    ],
    [
      "GET /{}/{}/subscribed_apps",
      ofAccount((account, call) => hurt("subscribed_apps", call, () => listSubscriptions(world, account)))
    ],
    [
      "DELETE /{}/{}/subscribed_apps",
      ofAccount((account, call) => hurt("subscribed_apps", call, () => unsubscribeApp(world, account)))
    ],
    ["GET /{}/{}/owned_whatsapp_business_accounts", accountsOf("owned")],
    ["GET /{}/{}/client_whatsapp_business_accounts", accountsOf("client")],
    [
      "POST /{}/{}/uploads",
      ofApp((call) => (call.places[1] === options.appId ? beginUpload(world, call) : vendorError(100, "no such app")))
    ],
    ["POST /{}/{}/message_templates", ofAccount((account, call) => templates.post(account, call))],
    ["GET /{}/{}/message_templates", ofAccount((account, call) => templates.list(account, call))],
    ["DELETE /{}/{}/message_templates", ofAccount((account, call) => templates.remove(account, call))],
    ["POST /{}/{}/flows", ofAccount((account, call) => hurt("flows", call, () => createFlow(world, account, call)))],
    ["GET /{}/{}/flows", ofAccount((account, call) => hurt("flows", call, () => listFlows(world, account, call)))],
    ["POST /{}/{}/assets", ofFlow((flow, call) => uploadFlow(flow, call))],
    ["POST /{}/{}/publish", ofFlow((flow) => moveFlow(notices, flow, "PUBLISHED"))],
    ["POST /{}/{}/deprecate", ofFlow((flow) => moveFlow(notices, flow, "DEPRECATED"))],
    ["POST /{}/{}/groups", ofNumber((number, call) => groups.create(number, call))],
    ["POST /{}/{}/invite_link", ofGroup((group, call) => groups.resetLink(group, call))],
    [
      "DELETE /{}/{}",
      (call) =>
        world.groups.has(call.places[1] ?? "")
          ? ofGroup((group) => groups.remove(group, call))(call)
          : ofFlow((flow) => removeFlow(world, flow))(call)
    ],
    ["POST /{}/{}", changed],
    ["GET /{}/{}", described]
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
