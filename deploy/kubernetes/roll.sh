#!/bin/sh
# Rolls a release out: the migration runs to its end, then shards change one after the other, then edges.
#   deploy/kubernetes/roll.sh overlays/cluster
# The images stand in the overlay and in migrate/kustomization.yaml. KUBECTL names another command than kubectl. Where no
# node ran before there is nothing to migrate: the first nodes make the schema at their start.
set -eu
cd "$(dirname "$0")"
overlay="${1:?name an overlay, such as overlays/cluster}"
kubectl="${KUBECTL:-kubectl}"
nodes="statefulset/carteiro-shard statefulset/carteiro-node deployment/carteiro-edge"

runs() {
  [ -n "$($kubectl --namespace carteiro get "$1" --ignore-not-found --output name)" ]
}

if runs statefulset/carteiro-shard || runs statefulset/carteiro-node; then
  # A job's template cannot be changed: the one of the last release makes room.
  $kubectl --namespace carteiro delete job carteiro-migrate --ignore-not-found --wait
  $kubectl apply --kustomize migrate
  $kubectl --namespace carteiro wait --for=condition=complete --timeout=20m job/carteiro-migrate
fi

$kubectl apply --kustomize "$overlay"
for workload in $nodes; do
  runs "$workload" || continue
  $kubectl --namespace carteiro rollout status --timeout=10m "$workload"
done
