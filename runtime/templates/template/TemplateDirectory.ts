import { Context, Effect, Layer } from "effect"
import { TemplateRepo } from "./TemplateRepo.ts"

/** Reads the templates of an environment for other rooms and for the dashboard. */
export class TemplateDirectory extends Context.Service<
  TemplateDirectory,
  Pick<TemplateRepo["Service"], "find" | "list" | "ofVersion" | "versions">
>()("@carteiro/runtime/templates/template/TemplateDirectory") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(TemplateRepo, ({ find, list, ofVersion, versions }) =>
      TemplateDirectory.of({ find, list, ofVersion, versions })
    )
  )
}
