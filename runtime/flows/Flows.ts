export {
  type FlowReference,
  isOurFlow,
  type KnownFlow,
  resolveFlow,
  type SentFlow
} from "./flow/NamedFlow.ts"
export { NamedFlows } from "./flow/NamedFlows.ts"
export { FlowReports } from "./publish/FlowReports.ts"
