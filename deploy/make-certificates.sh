#!/bin/sh
# Makes the authority of an installation and a certificate a node, in deploy/tls. Run again, it makes what is missing, ends
# within 30 days or was signed by an earlier authority.
# Each argument is a node: the host name or IP address that other nodes call, or a name with its addresses:
#   deploy/make-certificates.sh shard-1=10.0.0.11 edge-1=10.0.0.21,edge-1.internal
# Without arguments it takes the nodes of compose.yaml.
# To change the authority, in three rounds of restarts (docs/operations.md, "TLS between nodes"):
#   deploy/make-certificates.sh --begin-authority    a new one; every node's folder trusts it beside the old one
#   deploy/make-certificates.sh shard-1=10.0.0.11    after the first round: certificates of the new one, for all nodes
#   deploy/make-certificates.sh --end-authority      after the second round: the old one is trusted no more
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p tls
curve="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

# Authorities have different names, by which the one that signed a certificate is found.
make_authority() {
  openssl req -x509 $curve -days 3650 -subj "/CN=carteiro nodes $(date -u +%Y%m%dT%H%M%SZ)" -keyout tls/ca.key -out tls/ca.pem
}

is_good() {
  [ -f "$1" ] && openssl verify -CAfile tls/ca.pem "$1" >/dev/null 2>&1 && openssl x509 -checkend 2592000 -noout -in "$1" >/dev/null
}

# Gives every node's folder the authorities that it is to trust.
trust() {
  for folder in tls/*/; do
    cat "$@" > "${folder}ca.pem"
  done
}

case "${1:-}" in
  --begin-authority)
    [ ! -f tls/ca.old.pem ] || { echo "a change of the authority is under way: --end-authority ends it" >&2; exit 1; }
    mv tls/ca.pem tls/ca.old.pem
    make_authority
    trust tls/ca.pem tls/ca.old.pem
    exit ;;
  --end-authority)
    for folder in tls/*/; do
      is_good "$folder$(basename "$folder").pem" || { echo "$folder has no certificate of the new authority yet" >&2; exit 1; }
    done
    trust tls/ca.pem
    rm -f tls/ca.old.pem
    exit ;;
esac

[ -f tls/ca.pem ] || make_authority

# An IP address is checked against the addresses of a certificate, never against its host names.
alternative_names() {
  printf '%s\n' "$1" | tr ',' '\n' | while read -r address; do
    case "$address" in
      *:*) kind=IP ;;
      *[!0-9.]*) kind=DNS ;;
      *) kind=IP ;;
    esac
    printf '%s:%s,' "$kind" "$address"
  done | sed 's/,$//'
}

[ $# -gt 0 ] || set -- shard-1 shard-2 edge-1 edge-2
for node in "$@"; do
  name="${node%%=*}"
  folder="tls/$name"
  ! is_good "$folder/$name.pem" || continue
  mkdir -p "$folder"
  openssl req $curve -subj "/CN=$name" -keyout "$folder/$name.key" -out "$folder/$name.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$(alternative_names "${node#*=}")" > "$folder/$name.ext"
  openssl x509 -req -in "$folder/$name.csr" -CA tls/ca.pem -CAkey tls/ca.key -CAcreateserial -days 365 \
    -extfile "$folder/$name.ext" -out "$folder/$name.pem"
  cat tls/ca.pem $([ ! -f tls/ca.old.pem ] || echo tls/ca.old.pem) > "$folder/ca.pem"
  rm "$folder/$name.csr" "$folder/$name.ext"
  # The image runs as user 1000.
  [ "$(id -u)" -ne 0 ] || chown -R 1000:1000 "$folder"
done
