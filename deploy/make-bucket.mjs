// Makes the bucket of the compose file's object store at its first start. Runs in the image, beside the product's packages.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3"

const { env } = process
const Bucket = env.CARTEIRO_BLOB_S3_BUCKET
const client = new S3Client({
  endpoint: env.CARTEIRO_BLOB_S3_ENDPOINT,
  region: env.CARTEIRO_BLOB_S3_REGION ?? "us-east-1",
  forcePathStyle: true,
  credentials: { accessKeyId: env.CARTEIRO_BLOB_S3_ACCESS_KEY, secretAccessKey: env.CARTEIRO_BLOB_S3_SECRET_KEY }
})

const isThere = await client.send(new HeadBucketCommand({ Bucket })).then(
  () => true,
  (error) => {
    if (error.$metadata?.httpStatusCode === 404) return false
    throw error
  }
)
if (!isThere) await client.send(new CreateBucketCommand({ Bucket }))
process.stdout.write(`${isThere ? "there is" : "made"} the bucket ${Bucket}\n`)
