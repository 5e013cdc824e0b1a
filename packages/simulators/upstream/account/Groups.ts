import type { CallLog } from "../../kit/CallLog.ts"
import type { Faults } from "../../kit/Faults.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import type { Notices } from "../Notices.ts"
import { vendorError } from "../VendorErrors.ts"
import type { SimGroup, SimNumber, World } from "../World.ts"

/** Faults of groups: in the call, in the report after it, or in the response. */
export const groupFaults = [
  "refuse_group",
  "refuse_group_report",
  "no_group_report",
  "fail_group",
  "cut_group"
] as const

/** What the log tells of a group: its id, or the subject of one that has none yet. */
type NamedGroup = { readonly id: string } | { readonly subject: string }

/** Groups of numbers: accepted at once, reported a moment later. */
export class Groups {
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly world: World
  private readonly notices: Notices
  private readonly faults: Faults
  private readonly log: CallLog

  constructor(world: World, notices: Notices, faults: Faults, log: CallLog) {
    this.world = world
    this.notices = notices
    this.faults = faults
    this.log = log
  }

  /** `POST /{phone_number_id}/groups`. */
  create(number: SimNumber, call: Call): SimulatedAnswer | undefined {
    const { join_approval_mode, messaging_product, subject } = recordOf(jsonOf(call.body))
    if (messaging_product !== "whatsapp") return vendorError(100, "messaging_product is required")
    if (typeof subject !== "string" || subject.length > 128) return vendorError(100, "subject: 128 characters at most")
    // The platform knows no key of the caller: repeating a call makes another group.
    return this.taken("create", call, { subject }, () => {
      const group: SimGroup = {
        id: this.world.id("8"),
        biz_account_id: number.biz_account_id,
        number,
        subject,
        created_at: String(Math.floor(this.world.options.now() / 1000)),
        invite_link: this.link()
      }
      const report = {
        type: "group_create",
        group_id: group.id,
        invite_link: group.invite_link,
        subject,
        join_approval_mode: join_approval_mode ?? "auto_approve"
      }
      return {
        report,
        number,
        done: () => this.world.groups.set(group.id, group)
      }
    })
  }

  /** `GET /{phone_number_id}/groups`: the active groups, by pages. */
  list(number: SimNumber, { query }: Call): SimulatedAnswer {
    if (!this.world.mayMessage) return vendorError(10)
    const limit = Number(query.get("limit") ?? 25)
    if (!Number.isInteger(limit) || limit < 1 || limit > 1024) return vendorError(100, "limit: 1 to 1024")
    const from = Number(query.get("after") ?? 0)
    const all = [...this.world.groups.values()].filter((group) => group.number === number)
    const groups = all.slice(from, from + limit).map(({ created_at, id, subject }) => ({ id, subject, created_at }))
    const cursors = { before: String(from), after: String(from + groups.length) }
    return ok({ data: { groups }, ...(groups.length === 0 ? {} : { paging: { cursors } }) })
  }

  /** `DELETE /{group}`. */
  remove(group: SimGroup, call: Call): SimulatedAnswer | undefined {
    return this.taken("delete", call, { id: group.id }, () => ({
      report: { type: "group_delete", group_id: group.id },
      number: group.number,
      done: () => this.world.groups.delete(group.id)
    }))
  }

  /** `POST /{group}/invite_link`: earlier links stop working. */
  resetLink(group: SimGroup, call: Call): SimulatedAnswer | undefined {
    const refused = this.refusal("reset", call, { id: group.id })
    if (refused !== undefined) return refused.answer
    group.invite_link = this.link()
    this.log.add("group", { action: "reset", id: group.id, outcome: "accepted" })
    if (this.faults.hit(["cut_group"], { operation: "reset" }) !== undefined) return cut(call)
    return ok({ messaging_product: "whatsapp", invite_link: group.invite_link })
  }

  /** Simulates a participant who joins or leaves; epoch seconds. U-GRP-01 */
  participant(group: SimGroup, change: Readonly<Record<string, unknown>>): void {
    const removes = change.action === "remove"
    const initiated = removes ? { initiated_by: change.initiated_by === "business" ? "business" : "participant" } : {}
    const timestamp = String(change.timestamp ?? Math.floor(this.world.options.now() / 1000))
    const type = removes ? "group_participants_remove" : "group_participants_add"
    const { user_id, wa_id } = change
    const participant = {
      input: wa_id ?? user_id,
      ...(wa_id === undefined ? {} : { wa_id }),
      ...(user_id === undefined ? {} : { user_id })
    }
    this.report(group.number, "group_participants_update", {
      type,
      group_id: group.id,
      request_id: this.world.id("4"),
      [removes ? "removed_participants" : "added_participants"]: [participant],
      ...initiated,
      timestamp
    })
  }

  /** Reports another change of a group: of its settings, or that the platform suspends it. */
  changed(group: SimGroup, field: "group_settings_update" | "group_status_update", change: object): void {
    const type = field === "group_settings_update" ? field : "group_suspend"
    this.report(group.number, field, { type, group_id: group.id, request_id: this.world.id("4"), ...change })
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private taken(
    action: "create" | "delete",
    call: Call,
    named: NamedGroup,
    begin: () => { readonly report: object; readonly number: SimNumber; readonly done: () => void }
  ): SimulatedAnswer | undefined {
    const refused = this.refusal(action, call, named)
    if (refused !== undefined) return refused.answer
    const { done, number, report } = begin()
    const request_id = this.world.id("4")
    const field = "group_lifecycle_update"
    this.log.add("group", { action, ...named, outcome: "accepted", request_id })
    this.later(() => {
      if (this.faults.hit(["no_group_report"], { operation: action }) !== undefined) return
      if (this.faults.hit(["refuse_group_report"], { operation: action }) !== undefined) {
        const errors = [{ code: 131000, title: "Group refused", message: "The platform refused the group." }]
        this.report(number, field, { ...report, request_id, errors })
        return
      }
      done()
      this.report(number, field, { ...report, request_id })
    })
    if (this.faults.hit(["cut_group"], { operation: action }) !== undefined) return cut(call)
    if (action === "delete") return ok({ success: true })
    return ok({ messaging_product: "whatsapp", request_id })
  }

  private refusal(
    action: string,
    call: Call,
    named: NamedGroup
  ): { readonly answer: SimulatedAnswer | undefined } | undefined {
    const noted = (outcome: string) => this.log.add("group", { action, ...named, outcome })
    if (this.faults.hit(["fail_group"], { operation: action }) !== undefined) {
      noted("failed")
      return { answer: vendorError(131016) }
    }
    if (this.faults.hit(["refuse_group"], { operation: action }) === undefined) return undefined
    noted("refused")
    return { answer: vendorError(100, `the platform refused to ${action} the group ${call.method}`) }
  }

  private report(number: SimNumber, field: string, group: object): void {
    const timestamp = String(Math.floor(this.world.options.now() / 1000))
    this.notices.about(number, field, { groups: [{ timestamp, ...group }] })
  }

  private link(): string {
    return `https://chat.whatsapp.com/${this.world.messageId().slice(4)}`
  }

  private later(run: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      run()
    }, this.world.options.statusUnitMs)
    this.timers.add(timer)
  }
}

/** The call took effect, and its response is lost. */
const cut = ({ response }: Call): undefined => {
  response.destroy()
  return undefined
}
