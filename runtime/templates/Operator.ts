export { readTemplate } from "./template/TemplateRead.ts"
export type { TemplateVersion } from "./template/TemplateState.ts"
