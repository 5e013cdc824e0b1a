export {
  type FlowReference,
  isOurs as isOurFlow,
  type KnownFlow,
  resolveFlow,
  type SentFlow
} from "./named/NamedFlow.ts"
export { NamedFlows } from "./named/NamedFlows.ts"
export { FlowReports } from "./publish/FlowReports.ts"
