export {
  type FlowReference,
  isOurs as isOurFlow,
  type KnownFlow,
  resolveFlow,
  type SentFlow
} from "./flow/NamedFlow.ts"
export { NamedFlows } from "./flow/NamedFlows.ts"
export { FlowReports } from "./publish/FlowReports.ts"
