import type { CallLog } from "../kit/CallLog.ts"
import type { Faults } from "../kit/Faults.ts"
import { type Call, jsonOf, ok, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import { templateChangeFlaw, templateFlaw } from "./form/TemplateForm.ts"
import { hurtCall } from "./HurtCalls.ts"
import type { Notices } from "./Notices.ts"
import { vendorError } from "./VendorErrors.ts"
import type { SimTemplate, World } from "./World.ts"

/** Words in a template's name that decide its review; any other name is approved. */
const verdicts: ReadonlyArray<readonly [word: RegExp, status: SimTemplate["status"], reason: string]> = [
  [/reject/, "REJECTED", "INVALID_FORMAT"],
  [/pending/, "PENDING", "NONE"]
]

/** The fields of a template that a list may name, and those that it answers when it names none. */
const usualFields = ["id", "name", "language", "status", "category", "components", "parameter_format"]
const listedFields: ReadonlySet<string> = new Set([
  ...usualFields,
  "quality_score",
  "rejected_reason",
  "previous_category",
  "correct_category",
  "sub_category",
  "last_updated_time"
])

/** Accepts and reviews templates of one platform's accounts. */
export class Templates {
  private readonly world: World
  private readonly notices: Notices
  private readonly faults: Faults
  private readonly log: CallLog
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly reasons = new Map<string, string>()
  private readonly quality = new Map<string, string>()

  constructor(world: World, notices: Notices, faults: Faults, log: CallLog) {
    this.world = world
    this.notices = notices
    this.faults = faults
    this.log = log
  }

  /** `POST /{version}/{biz_account_id}/message_templates`. */
  post(account: string, call: Call): SimulatedAnswer | undefined {
    return this.through(call, "create", () => {
      const given = recordOf(jsonOf(call.body))
      const flaw = templateFlaw(this.world, given)
      if (flaw !== undefined) return vendorError(100, flaw.details)
      const { category, components, language, name, parameter_format } = given
      if (typeof name !== "string" || typeof language !== "string") return vendorError(100, "name and language")
      if (!Array.isArray(components)) return vendorError(100, "components")
      if (this.named(account, name, language) !== undefined) return vendorError(100, "the name exists in this language")
      const id = this.world.id("7")
      const format = String(parameter_format ?? "POSITIONAL")
      this.world.templates.set(id, {
        id,
        biz_account_id: account,
        name,
        language,
        category: String(category),
        status: "PENDING",
        parameter_format: format,
        components,
        body: bodyOf(components, format)
      })
      this.review(id)
      return ok({ id, status: "PENDING", category })
    })
  }

  /** `POST /{version}/{template_id}`: a further version of a known template; undefined for an unknown one. */
  change(call: Call): SimulatedAnswer | undefined {
    return this.through(call, "change", () => {
      const template = this.world.templates.get(call.places[1] ?? "")
      if (template === undefined) return vendorError(100, "no such object")
      const given = recordOf(jsonOf(call.body))
      const flaw = templateChangeFlaw(this.world, template.category, given)
      if (flaw !== undefined) return vendorError(100, flaw.details)
      const { category, components } = given
      if (category !== undefined) template.category = String(category)
      if (Array.isArray(components)) {
        template.components = components
        template.body = bodyOf(components, template.parameter_format)
      }
      this.review(template.id)
      return ok({ success: true })
    })
  }

  /** `GET /{version}/{biz_account_id}/message_templates`, by pages. */
  list(account: string, call: Call): SimulatedAnswer | undefined {
    return this.through(call, "list", () => {
      const limit = Math.max(1, Number(call.query.get("limit") ?? 25))
      const from = Number(call.query.get("after") ?? 0)
      const named = call.query.get("name")
      const all = this.of(account).filter(({ name }) => named === null || name === named)
      const fields = call.query.get("fields")?.split(",") ?? usualFields
      const unknown = fields.find((field) => !listedFields.has(field))
      if (unknown !== undefined) return vendorError(100, `Tried accessing nonexisting field (${unknown})`)
      const data = all.slice(from, from + limit).map((template) => this.shown(template, fields))
      const more = from + limit < all.length
      const cursors = { before: String(from), after: String(from + data.length) }
      return ok({ data, paging: { cursors, ...(more ? { next: `${call.path}?after=${cursors.after}` } : {}) } })
    })
  }

  /** `DELETE /{version}/{biz_account_id}/message_templates?name=&hsm_id=`: removes one, or every language of a name. */
  remove(account: string, call: Call): SimulatedAnswer | undefined {
    return this.through(call, "delete", () => {
      const [name, id] = [call.query.get("name"), call.query.get("hsm_id")]
      const gone = this.of(account).filter((one) => one.name === name && (id === null || one.id === id))
      if (gone.length === 0) return vendorError(100, "no such template")
      for (const one of gone) this.world.templates.delete(one.id)
      return ok({ success: true })
    })
  }

  /**
   * Changes a template for the control route: a status with its reason, a category, or a quality; each is reported in the
   * platform's format.
   */
  set({ category, name, quality, reason, status }: Readonly<Record<string, unknown>>): boolean {
    const template = [...this.world.templates.values()].find((one) => one.name === name)
    if (template === undefined) return false
    if (typeof status === "string") this.decide(template, status as SimTemplate["status"], String(reason ?? "NONE"))
    if (typeof category === "string") {
      const previous_category = template.category
      template.category = category
      this.tell(template, "template_category_update", { previous_category, new_category: category })
    }
    if (typeof quality === "string") {
      const previous_quality_score = this.quality.get(template.id) ?? "UNKNOWN"
      this.quality.set(template.id, quality)
      this.tell(template, "message_template_quality_update", { previous_quality_score, new_quality_score: quality })
    }
    return true
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private review(id: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      const template = this.world.templates.get(id)
      if (template === undefined) return
      const [, status, reason] = verdicts.find(([word]) => word.test(template.name)) ?? [/./, "APPROVED", "NONE"]
      if (status !== "PENDING") this.decide(template, status as SimTemplate["status"], reason)
    }, this.world.options.reviewMs)
    this.timers.add(timer)
  }

  private decide(template: SimTemplate, status: SimTemplate["status"], reason: string): void {
    template.status = status
    this.reasons.set(template.id, reason)
    this.log.add("template_status", { template_id: template.id, name: template.name, status })
    this.tell(template, "message_template_status_update", { event: status, reason })
  }

  private tell(template: SimTemplate, field: string, value: object): void {
    this.notices.change(template.biz_account_id, field, {
      ...value,
      message_template_id: Number(template.id),
      message_template_name: template.name,
      message_template_language: template.language
    })
  }

  /** A template with the fields that a list names, and its id. */
  private shown(template: SimTemplate, fields: ReadonlyArray<string>): Readonly<Record<string, unknown>> {
    const all = {
      ...template,
      rejected_reason: this.reasons.get(template.id) ?? "NONE",
      quality_score: { score: this.quality.get(template.id) ?? "UNKNOWN" }
    }
    return Object.fromEntries(Object.entries(all).filter(([name]) => name === "id" || fields.includes(name)))
  }

  private of(account: string): ReadonlyArray<SimTemplate> {
    return [...this.world.templates.values()].filter(({ biz_account_id }) => biz_account_id === account)
  }

  private named(account: string, name: string, language: string): SimTemplate | undefined {
    return this.of(account).find((one) => one.name === name && one.language === language)
  }

  /** Logs a call and runs it with its faults, before its effect or after. */
  private through(call: Call, action: string, run: () => SimulatedAnswer): SimulatedAnswer | undefined {
    const name = recordOf(jsonOf(call.body)).name ?? call.query.get("name")
    return hurtCall(this.faults, "templates", call, run, (ended) =>
      this.log.add("template", { action, name, ...ended })
    )
  }
}

/** Returns the values that a send needs for a body: their number, or their names. */
const bodyOf = (components: ReadonlyArray<unknown>, format: string): number | ReadonlyArray<string> => {
  const body = components.map(recordOf).find(({ type }) => String(type).toUpperCase() === "BODY")
  // An authentication template has the platform's own text, with the code in it.
  if (body !== undefined && body.text === undefined) return 1
  const keys = [...String(body?.text ?? "").matchAll(/\{\{([^{}]+)\}\}/g)].map(([, key = ""]) => key)
  const distinct = [...new Set(keys)]
  return format === "NAMED" ? distinct : distinct.length
}
