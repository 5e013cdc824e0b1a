export { Activations } from "./activation/Activations.ts"
export { layerEdge, layerShard, layerSingle } from "./cluster/Cluster.ts"
export { ClusterReadiness } from "./cluster/Readiness.ts"
export {
  certificateGauges,
  certificatesOf,
  type RunnerTls,
  UnprotectedRunner
} from "./cluster/RunnerTls.ts"
export { shardsPerGroup } from "./cluster/Timings.ts"
