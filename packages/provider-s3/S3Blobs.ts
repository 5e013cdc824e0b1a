import type { Readable } from "node:stream"
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand
} from "@aws-sdk/client-s3"
import { type BlobStorage, BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { Effect, Layer, Redacted, Stream } from "effect"

/** The bucket and its credential; without an endpoint it is the vendor's own in the region. */
export interface S3Options {
  readonly endpoint: string | undefined
  readonly bucket: string
  readonly region: string
  readonly accessKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

/** The size of one part of a large blob in bytes, which an upload holds in memory. */
const partBytes = 8 * 1_048_576

/** Stores blobs as objects of a bucket. A blob larger than a part is assembled at its end, or not at all. */
export const s3Blobs = (options: S3Options): Layer.Layer<BlobStore> =>
  Layer.effect(
    BlobStore,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => clientOf(options)),
        (client) => Effect.sync(() => client.destroy())
      ),
      (client) => make(client, options)
    )
  )

const clientOf = ({ accessKey, endpoint, region, secretKey }: S3Options): S3Client =>
  new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // A service that does not connect or send for this time has failed. In milliseconds.
    requestHandler: { connectionTimeout: 5000, socketTimeout: 30_000 },
    credentials: { accessKeyId: Redacted.value(accessKey), secretAccessKey: Redacted.value(secretKey) },
    // Services other than the vendor's own support fewer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED"
  })

const make = (client: S3Client, options: S3Options): BlobStorage => {
  const { bucket: Bucket } = options
  const host = hostOf(options)
  const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, BlobStoreFailed> =>
    Effect.tryPromise({
      try: work,
      catch: (error) => new BlobStoreFailed({ reason: `${host}: ${causeOf(error)}` })
    })
  const putWhole = (Key: string, Body: Uint8Array) =>
    attempt(() => client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length })))

  return {
    put: (Key, bytes) =>
      Effect.suspend(() => {
        let held: Array<Uint8Array> = []
        let size = 0
        let UploadId: string | undefined
        const Parts: Array<{ readonly ETag: string | undefined; readonly PartNumber: number }> = []
        const gathered = () => {
          const part = Buffer.concat(held)
          held = []
          size = 0
          return part
        }
        const sendPart = Effect.gen(function* () {
          const Body = gathered()
          UploadId ??= (yield* attempt(() => client.send(new CreateMultipartUploadCommand({ Bucket, Key })))).UploadId
          const PartNumber = Parts.length + 1
          const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length })
          const { ETag } = yield* attempt(() => client.send(part))
          Parts.push({ ETag, PartNumber })
        })
        const taken = Stream.runForEach(bytes, (chunk) => {
          held.push(chunk)
          size += chunk.length
          return size < partBytes ? Effect.void : sendPart
        })
        const ended = Effect.gen(function* () {
          if (UploadId === undefined) return yield* putWhole(Key, gathered())
          if (size > 0) yield* sendPart
          const end = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
          return yield* attempt(() => client.send(end))
        })
        const abort = Effect.suspend(() =>
          UploadId === undefined
            ? Effect.void
            : Effect.ignore(attempt(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))))
        )
        return Effect.asVoid(
          Effect.onExit(Effect.andThen(taken, ended), (exit) => (exit._tag === "Success" ? Effect.void : abort))
        )
      }),

    open: (key, range) =>
      attempt(() =>
        client
          .send(
            new GetObjectCommand({
              Bucket,
              Key: key,
              ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` })
            })
          )
          .then(
            ({ Body }) => Body as Readable,
            (error: Error) => {
              if (error.name === "NoSuchKey" || error.name === "NotFound") return undefined
              throw error
            }
          )
      ),

    remove: (key) => Effect.asVoid(attempt(() => client.send(new DeleteObjectCommand({ Bucket, Key: key })))),

    list: (after, limit) =>
      Effect.map(
        attempt(() => client.send(new ListObjectsV2Command({ Bucket, StartAfter: after, MaxKeys: limit }))),
        ({ Contents = [] }) =>
          Contents.flatMap(({ Key, LastModified }) =>
            Key === undefined || LastModified === undefined ? [] : [{ key: Key, stored_at: LastModified.getTime() }]
          )
      )
  }
}

const hostOf = ({ endpoint, region }: S3Options): string =>
  endpoint === undefined ? `s3.${region}.amazonaws.com` : new URL(endpoint).host

/**
 * Returns the system's code or the service's error, and the status of a response. It never returns a message, which may
 * hold names and keys.
 */
const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const { $metadata, code } = error as NodeJS.ErrnoException & { readonly $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  return `${code ?? error.name}${status === undefined ? "" : ` (HTTP ${status})`}`
}
