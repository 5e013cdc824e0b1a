export { TemplatesEntity } from "./review/TemplatesEntity.ts"
export type { FilledButton } from "./template/ButtonDemands.ts"
export { seededTemplateRows } from "./template/SeededRows.ts"
export { TemplateDirectory } from "./template/TemplateDirectory.ts"
export { TemplateHints } from "./template/TemplateHints.ts"
export {
  checkTemplateParameters,
  type ParameterMismatch,
  type SentParameters,
  type SentTemplate,
  type TemplateNeeds,
  type TemplateParameters,
  templateNeeds
} from "./template/TemplateParameters.ts"
