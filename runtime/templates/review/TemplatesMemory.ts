import type { TemplateState } from "../template/TemplateState.ts"

/** The memory of the owner of an environment's templates: all of them, and when the provider's list is read next. */
export class TemplatesMemory {
  private readonly templates: Map<string, TemplateState>
  /** Epoch milliseconds; undefined while no provider knows a template. */
  syncDueAt: number | undefined

  constructor(templates: ReadonlyArray<TemplateState>, syncDueAt: number | undefined) {
    this.templates = new Map(templates.map((template) => [template.id, template]))
    this.syncDueAt = syncDueAt
  }

  /** All templates that are not deleted. */
  get living(): ReadonlyArray<TemplateState> {
    return [...this.templates.values()].filter(({ deleted_at }) => deleted_at === null)
  }

  /** Returns a template that exists, or that was deleted and must still be removed at the provider. */
  known(id: string): TemplateState | undefined {
    return this.templates.get(id)
  }

  find(id: string): TemplateState | undefined {
    const template = this.templates.get(id)
    return template?.deleted_at === null ? template : undefined
  }

  named(name: string, language: string): TemplateState | undefined {
    return this.living.find((template) => template.name === name && template.language === language)
  }

  /**
   * Returns the template that a provider names: by its id, else by name and language. A template that has another id of
   * the provider is not meant by its name: an earlier one had it.
   */
  spokenOf(of: {
    readonly provider_template_id: string | null
    readonly name: string | null
    readonly language: string | null
  }): TemplateState | undefined {
    const { language, name, provider_template_id } = of
    const byId =
      provider_template_id === null
        ? undefined
        : this.living.find((template) => template.provider_template_id === provider_template_id)
    if (byId !== undefined || name === null || language === null) return byId
    const named = this.named(name, language)
    const isOther = provider_template_id !== null && (named?.provider_template_id ?? null) !== null
    return isOther ? undefined : named
  }

  /** Stores a change; a deleted template is kept while it has something due. */
  put(template: TemplateState): void {
    if (template.deleted_at !== null && template.due_at === null) this.templates.delete(template.id)
    else this.templates.set(template.id, template)
  }

  /** Returns the templates that are due at that instant, longest due first. */
  due(now: number): ReadonlyArray<TemplateState & { readonly due_at: number }> {
    return [...this.templates.values()]
      .filter(
        (template): template is TemplateState & { readonly due_at: number } => (template.due_at ?? Infinity) <= now
      )
      .sort((a, b) => a.due_at - b.due_at)
  }

  /** Returns the next instant after `now` at which a template is due. */
  nextDue(now: number): number | undefined {
    const instants = [...this.templates.values()].flatMap(({ due_at }) => (due_at === null ? [] : [due_at]))
    if (this.syncDueAt !== undefined) instants.push(this.syncDueAt)
    const later = instants.filter((instant) => instant > now)
    return later.length === 0 ? undefined : Math.min(...later)
  }
}
