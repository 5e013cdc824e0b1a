import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { TemplateContent, TemplateState, TemplateVersion } from "./TemplateState.ts"

/**
 * The templates of a new sandbox, by name; all in pt_BR. Migration 0012 writes an equal `welcome` and `promo`, and a
 * `code` with its own text, which stays sendable. U-TPL-04, gaps-2 J "Quickstart content"
 */
export const seededContents: Readonly<Record<"welcome" | "promo" | "code", TemplateContent>> = {
  welcome: {
    category: "utility",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Olá, {{1}}! Que bom ter você por aqui.", example: { body_text: [["Maria"]] } }]
  },
  promo: {
    category: "marketing",
    parameter_format: "NAMED",
    components: [
      {
        type: "BODY",
        text: "Oi, {{first_name}}! Separamos uma oferta para você.",
        example: { body_text_named_params: [{ param_name: "first_name", example: "Maria" }] }
      }
    ]
  },
  code: {
    category: "authentication",
    parameter_format: "POSITIONAL",
    components: [
      { type: "BODY", add_security_recommendation: true },
      { type: "FOOTER", code_expiration_minutes: 10 },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copiar código" }] }
    ]
  }
}

/** The environment of seeded templates. */
export interface SeedPlace {
  readonly environment_id: string
  readonly kind: EnvironmentKind
  /** Epoch milliseconds. */
  readonly at: number
}

/**
 * Returns the three templates of an environment, approved from the start. A sandbox has simulated provider ids; in
 * production the first synchronization reads the provider's own. Boot contract, "Ready"
 */
export const seededTemplates = (
  { at, environment_id, kind }: SeedPlace,
  mint: (prefix: "tpl" | "tplv") => string,
  traceId: string
): ReadonlyArray<TemplateState> =>
  Object.entries(seededContents).map(([name, content]) => {
    const id = mint("tpl")
    const version: TemplateVersion = {
      ...content,
      id: mint("tplv"),
      version: 1,
      status: "approved",
      rejection_reason: null,
      submitted_at: at,
      approved_at: at,
      created_at: at,
      updated_at: at
    }
    return {
      environment_id,
      id,
      environment: kind,
      name,
      language: "pt_BR",
      newest: version,
      approved: version,
      provider_template_id: kind === "sandbox" ? sandboxTemplateId(id) : null,
      provider_quality: "unknown",
      due_at: null,
      attempts: 0,
      trace_id: traceId,
      deleted_at: null,
      created_at: at,
      updated_at: at
    }
  })

/** Returns the id that the simulated provider of a sandbox gives a template. */
export const sandboxTemplateId = (id: string): string => `sb_${id}`
