import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { loadAll } from "js-yaml"

/** A value of a manifest. */
export type Value = null | string | number | boolean | ReadonlyArray<Value> | { readonly [name: string]: Value }

/** One object as Kubernetes takes it. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of manifests that it has not declared
  readonly [name: string]: any
}

interface Kustomization {
  readonly namespace?: string
  readonly resources?: ReadonlyArray<string>
  readonly components?: ReadonlyArray<string>
  readonly replicas?: ReadonlyArray<{ readonly name: string; readonly count: number }>
  readonly images?: ReadonlyArray<{ readonly name: string; readonly newName: string; readonly newTag: string }>
  readonly patches?: ReadonlyArray<{ readonly patch: string }>
}

const knownMembers = new Set("apiVersion kind namespace resources components replicas images patches".split(" "))

/** Kinds that stand in no namespace. */
const ofTheCluster = new Set(["Namespace"])

/**
 * Returns the objects that `kubectl kustomize` makes of a folder, as far as our overlays go: resources, components, patches
 * by merge, replicas, images, a namespace. Throws at a member that it does not know, and at a patch without its target.
 */
export const kustomize = (folder: string): ReadonlyArray<Manifest> => {
  const [read] = documents(join(folder, "kustomization.yaml")) as unknown as ReadonlyArray<Kustomization>
  const own = read ?? {}
  for (const member of Object.keys(own)) {
    if (!knownMembers.has(member)) throw new Error(`${folder}: ${member} is not known here`)
  }
  const { components = [], images = [], namespace, patches = [], replicas = [], resources = [] } = own
  const found = [...resources, ...components].flatMap((path) => {
    const at = join(folder, path)
    if (!existsSync(at)) throw new Error(`${folder}: there is no ${path}`)
    return statSync(at).isDirectory() ? kustomize(at) : documents(at)
  })
  const patched = patches.flatMap(({ patch }) => loadAll(patch) as Array<Manifest>).reduce(patchOne, found)
  return patched.map((manifest) => {
    const counted = replicas.find(({ name }) => name === manifest.metadata.name)
    const scaled =
      counted === undefined || manifest.spec?.replicas === undefined
        ? manifest
        : { ...manifest, spec: { ...manifest.spec, replicas: counted.count } }
    const named = withImages(scaled as unknown as Value, images) as unknown as Manifest
    if (namespace === undefined || ofTheCluster.has(manifest.kind)) return named
    return { ...named, metadata: { ...named.metadata, namespace } }
  })
}

const documents = (path: string): ReadonlyArray<Manifest> => loadAll(readFileSync(path, "utf8")) as Array<Manifest>

const patchOne = (all: ReadonlyArray<Manifest>, patch: Manifest): ReadonlyArray<Manifest> => {
  const isTarget = ({ kind, metadata }: Manifest) => kind === patch.kind && metadata.name === patch.metadata.name
  if (!all.some(isTarget)) throw new Error(`no ${patch.kind} is named ${patch.metadata.name}`)
  return all.map((one) => (isTarget(one) ? (merged(one as Value, patch as Value) as unknown as Manifest) : one))
}

/** Maps are merged, and everything else is replaced. */
const merged = (base: Value, patch: Value): Value => {
  if (!isMap(base) || !isMap(patch)) return patch
  const members = Object.entries(patch).map(([name, value]) => [name, merged(base[name] ?? null, value)])
  return { ...base, ...Object.fromEntries(members) }
}

const withImages = (value: Value, images: NonNullable<Kustomization["images"]>): Value => {
  if (Array.isArray(value)) return value.map((one) => withImages(one, images))
  if (!isMap(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const image = name === "image" ? images.find((one) => one.name === member) : undefined
      return [name, image === undefined ? withImages(member, images) : `${image.newName}:${image.newTag}`]
    })
  )
}

const isMap = (value: Value): value is { readonly [name: string]: Value } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
