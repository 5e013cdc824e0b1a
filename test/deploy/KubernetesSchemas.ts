import type { Manifest } from "./Kustomize.ts"

/** Checks a value, and leaves behind why it refuses one. */
interface Check {
  (value: unknown): boolean
  readonly errors?: ReadonlyArray<{
    readonly instancePath: string
    readonly message?: string
    readonly keyword: string
  }>
}

/** Returns why Kubernetes would refuse a manifest, or ignore a member of it; nothing for one that it takes whole. */
export const refusals = async (manifest: Manifest): Promise<ReadonlyArray<string>> => {
  const name = `${manifest.kind} ${manifest.metadata.name}`
  const check = await checkOf(manifest.apiVersion, manifest.kind)
  const read = new Set<string>()
  if (!check(watched(manifest, "", read))) {
    return (check.errors ?? []).map(({ instancePath, keyword }) => `${name}: ${instancePath} breaks ${keyword}`)
  }
  return pathsOf(manifest, "")
    .filter((path) => !read.has(path))
    .map((path) => `${name}: Kubernetes knows no ${path}`)
}

/** Groups of the API, as the packages of schemas name them. */
const groups: Readonly<Record<string, string>> = {
  v1: "IoK8sApiCoreV1",
  "apps/v1": "IoK8sApiAppsV1",
  "autoscaling/v2": "IoK8sApiAutoscalingV2",
  "batch/v1": "IoK8sApiBatchV1",
  "networking.k8s.io/v1": "IoK8sApiNetworkingV1",
  "policy/v1": "IoK8sApiPolicyV1",
  "cert-manager.io/v1": "ComGithubCertManagerCertManagerPkgApisCertmanagerV1"
}

const checkOf = async (apiVersion: string, kind: string): Promise<Check> => {
  const group = groups[apiVersion]
  if (group === undefined) throw new Error(`no schemas of ${apiVersion}`)
  const from = apiVersion.startsWith("cert-manager.io/") ? "@kubernetes-models/cert-manager" : "kubernetes-models"
  // By path: one of the packages exports its models alone, which copy what they check.
  const path = new URL(`../../node_modules/${from}/_schemas/${group}${kind}.js`, import.meta.url).href
  const { validate } = (await import(path)) as { readonly validate: Check }
  return validate
}

/**
 * Wraps a value so that each member that is read leaves its path. The schemas take members that they do not know, so that a
 * member which is never read is one that is spelt wrongly.
 */
const watched = (value: unknown, path: string, read: Set<string>): unknown => {
  if (typeof value !== "object" || value === null) return value
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const member = Reflect.get(target, name, receiver)
      if (typeof name !== "string" || !Object.hasOwn(target, name)) return member
      read.add(`${path}.${name}`)
      return watched(member, `${path}.${name}`, read)
    }
  })
}

const pathsOf = (value: unknown, path: string): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, member]) => [`${path}.${name}`, ...pathsOf(member, `${path}.${name}`)])
