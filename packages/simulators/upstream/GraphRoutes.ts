import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import type { Call, Handler, RouteList, SimulatedAnswer } from "../kit/Routes.ts"
import { Access } from "./Access.ts"
import { createFlow, describeFlow, listFlows, moveFlow, removeFlow, uploadFlow } from "./account/Flows.ts"
import type { Groups } from "./account/Groups.ts"
import { describeFile, sendFile, takeFile } from "./account/Media.ts"
import { describeNumber, listNumbers } from "./account/Numbers.ts"
import type { Registration } from "./account/Registration.ts"
import { consentDialog, debugToken, describeAccount, exchangeCode } from "./account/Tokens.ts"
import { listAccounts } from "./app/Businesses.ts"
import { listSubscriptions, subscribeApp, unsubscribeApp } from "./app/Subscriptions.ts"
import { beginUpload, continueUpload, describeUpload } from "./app/Uploads.ts"
import { hurtCall } from "./HurtCalls.ts"
import type { Messages } from "./message/Messages.ts"
import type { Notices } from "./Notices.ts"
import type { Templates } from "./Templates.ts"
import { vendorError } from "./VendorErrors.ts"
import type { SimFlow, SimGroup, World } from "./World.ts"

interface Parts {
  readonly world: World
  readonly log: CallLog
  readonly faults: Faults
  readonly notices: Notices
  readonly messages: Messages
  readonly templates: Templates
  readonly groups: Groups
  readonly registration: Registration
}

/** The platform's own routes. */
export const graphRoutes = (parts: Parts): RouteList => {
  const { faults, groups, log, messages, registration, templates, world } = parts
  const access = new Access(world)
  return [
    ["GET /download/{}", access.ofFile(0, (file, call) => sendFile(faults, file, call))],
    ...appRoutes(parts, access),
    ...nodeRoutes(parts, access),
    ["POST /{}/{}/messages", access.ofNumber((number, call) => messages.post(number, call))],
    ["POST /{}/{}/media", access.ofNumber((_number, call) => takeFile(world, faults, log, call))],
    [
      "GET /{}/{}/phone_numbers",
      access.ofAccount((account, call) => accountsDown(faults) ?? listNumbers(world, account, call))
    ],
    ["POST /{}/{}/phone_numbers", access.ofAccount((account, call) => registration.add(account, call))],
    ["POST /{}/{}/request_code", access.ofNumber((number, call) => registration.requestCode(number, call))],
    ["POST /{}/{}/verify_code", access.ofNumber((number, call) => registration.verifyCode(number, call))],
    ["POST /{}/{}/register", access.ofNumber((number, call) => registration.register(number, call))],
    ["POST /{}/{}/deregister", access.ofNumber((number, call) => registration.deregister(number, call))],
    ["POST /{}/{}/message_templates", access.ofAccount((account, call) => templates.post(account, call))],
    ["GET /{}/{}/message_templates", access.ofAccount((account, call) => templates.list(account, call))],
    ["DELETE /{}/{}/message_templates", access.ofAccount((account, call) => templates.remove(account, call))],
    ["POST /{}/{}/groups", access.ofNumber((number, call) => groups.create(number, call))],
    ["GET /{}/{}/groups", access.ofNumber((number, call) => groups.list(number, call))]
  ]
}

/** What an app has at the platform: tokens, subscriptions, portfolios, uploads. */
const appRoutes = ({ faults, world }: Parts, access: Access): RouteList => {
  const subscription = (run: (account: string, call: Call) => SimulatedAnswer): Handler =>
    access.ofAccount((account, call) => hurtCall(faults, "subscribed_apps", call, () => run(account, call)))
  const accountsOf = (kind: "owned" | "client") =>
    access.ofApp((call, token) => listAccounts(world, call.places[1] ?? "", kind, token))
  return [
    ["GET /{}/debug_token", access.ofApp((call) => debugToken(world, call))],
    ["GET /{}/dialog/oauth", (call) => consentDialog(world, call)],
    ["GET /{}/oauth/access_token", (call) => exchangeCode(world, call)],
    ["POST /{}/{}/subscribed_apps", subscription((account, call) => subscribeApp(world, account, call))],
    ["GET /{}/{}/subscribed_apps", subscription((account) => listSubscriptions(world, account))],
    ["DELETE /{}/{}/subscribed_apps", subscription((account) => unsubscribeApp(world, account))],
    ["GET /{}/{}/owned_whatsapp_business_accounts", accountsOf("owned")],
    ["GET /{}/{}/client_whatsapp_business_accounts", accountsOf("client")],
    [
      "POST /{}/{}/uploads",
      access.ofApp((call) =>
        call.places[1] === world.options.appId ? beginUpload(world, call) : vendorError(100, "no such app")
      )
    ]
  ]
}

/** Routes whose subject is told by its id alone. */
const nodeRoutes = (parts: Parts, access: Access): RouteList => {
  const { faults, groups, notices, registration, templates, world } = parts
  const hurt = (operation: string, call: Call, run: () => SimulatedAnswer) => hurtCall(faults, operation, call, run)
  const ofFlow = (handle: (flow: SimFlow, call: Call) => SimulatedAnswer) =>
    access.of(
      (id) => world.flows.get(id),
      (flow, call) => hurt("flows", call, () => handle(flow, call))
    )
  const ofFlows = (run: (account: string, call: Call) => SimulatedAnswer) =>
    access.ofAccount((account, call) => hurt("flows", call, () => run(account, call)))
  const ofGroup = (handle: (group: SimGroup, call: Call) => SimulatedAnswer | undefined) =>
    access.of((id) => world.groups.get(id), handle)
  const uploadOf = (call: Call) => world.uploads.get(`${call.places[1]}?sig=${call.query.get("sig")}`)
  const described: Handler = (call) => {
    const id = call.places[1] ?? ""
    if (world.numbers.has(id)) {
      return access.ofNumber((number) => hurt("numbers", call, () => describeNumber(number, call)))(call)
    }
    const session = uploadOf(call)
    if (session !== undefined) return access.ofApp(() => describeUpload(session))(call)
    if (world.flows.has(id)) return ofFlow((flow) => describeFlow(flow))(call)
    if (world.isAccount(id)) {
      return access.ofAccount((account) => accountsDown(faults) ?? describeAccount(world, account, call))(call)
    }
    return access.ofFile(1, (file) => describeFile(faults, file, call))(call)
  }
  const changed: Handler = (call) => {
    const session = uploadOf(call)
    if (session !== undefined) return access.ofApp(() => continueUpload(world, session, call))(call)
    if (world.numbers.has(call.places[1] ?? "")) {
      return access.ofNumber((number) => registration.change(number, call))(call)
    }
    return access.of(
      (id) => world.templates.get(id),
      () => templates.change(call)
    )(call)
  }
  const removed: Handler = (call) =>
    world.groups.has(call.places[1] ?? "")
      ? ofGroup((group) => groups.remove(group, call))(call)
      : ofFlow((flow) => removeFlow(world, flow))(call)
  return [
    ["POST /{}/{}/flows", ofFlows((account, call) => createFlow(world, account, call))],
    ["GET /{}/{}/flows", ofFlows((account, call) => listFlows(world, account, call))],
    ["POST /{}/{}/assets", ofFlow((flow, call) => uploadFlow(flow, call))],
    ["POST /{}/{}/publish", ofFlow((flow) => moveFlow(notices, flow, "PUBLISHED"))],
    ["POST /{}/{}/deprecate", ofFlow((flow) => moveFlow(notices, flow, "DEPRECATED"))],
    ["POST /{}/{}/invite_link", ofGroup((group, call) => groups.resetLink(group, call))],
    ["DELETE /{}/{}", removed],
    ["POST /{}/{}", changed],
    ["GET /{}/{}", described]
  ]
}

const accountsDown = (faults: Faults): SimulatedAnswer | undefined =>
  faults.hit(["accounts_down"], { operation: "accounts" }) === undefined ? undefined : vendorError(131016)
