import { refusingSuffix } from "@carteiro/tables/NoPrimary.ts"
import { instant } from "@carteiro/tables/Parameters.ts"
import { many, one } from "@carteiro/tables/Read.ts"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** One PostgreSQL server as it is set up, and how full it is. */
export interface ServerFacts {
  readonly version: string
  /** 150004 for 15.4. */
  readonly version_number: number
  readonly is_standby: boolean
  readonly fsync: boolean
  readonly full_page_writes: boolean
  readonly synchronous_commit: string
  readonly autovacuum: boolean
  readonly max_connections: number
  readonly connections: number
  /** Transactions since the oldest one that is not frozen; the server stops at two billion. */
  readonly xid_age: number
  readonly database_bytes: number
  /** Undefined where this role may not read it. */
  readonly data_directory: string | null
  /** True when the server runs on this machine. */
  readonly is_local: boolean
}

/** Asks for nothing but an answer; fails when the database gives none. */
export const answers = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`)

/** Reads the server's facts in one statement. */
export const serverFacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* one(sql<ServerFacts>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int4 as version_number,
      pg_is_in_recovery() as is_standby, current_setting('fsync')::bool as fsync,
      current_setting('full_page_writes')::bool as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('autovacuum')::bool as autovacuum, current_setting('max_connections')::int4 as max_connections,
      (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as connections,
      (select age(datfrozenxid)::int8 from pg_database where datname = current_database()) as xid_age,
      pg_database_size(current_database()) as database_bytes,
      case when pg_has_role(current_user, 'pg_read_all_settings', 'member') then current_setting('data_directory')
        end as data_directory,
      inet_server_addr() is null or inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1' as is_local`)
})

/** How one server stands among those that hold the installation's data. */
export interface StandingFacts {
  /** PostgreSQL's identifier of the data. */
  readonly system: string
  /** Rises by one with each promotion; null for a server that takes no writes. */
  readonly timeline: number | null
  readonly is_synchronous: boolean
  /** The end of the log that it has written, or replayed, in bytes. */
  readonly position: number
  /** Sessions of nodes that look at this server and refuse it, although it takes writes. */
  readonly refusals: number
  /** Since the last transaction that it replayed; null for a server that replays none. */
  readonly replayed_ms_ago: number | null
}

/** Reads how this server stands at an instant. */
export const standing = Effect.fnUntraced(function* (now: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* one(sql<StandingFacts>`
    select system_identifier::text as system,
      case when not pg_is_in_recovery() then ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int4
        end as timeline,
      current_setting('synchronous_standby_names') <> ''
        and current_setting('synchronous_commit') in ('on', 'remote_apply', 'remote_write') as is_synchronous,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end
        - '0/0'::pg_lsn)::int8 as position,
      (select count(*)::int4 from pg_stat_activity where application_name like ${`%${refusingSuffix}`}) as refusals,
      (extract(epoch from ${instant(now)} - pg_last_xact_replay_timestamp()) * 1000)::float8 as replayed_ms_ago
    from pg_control_system()`)
})

/** One session that keeps others waiting, or an old snapshot open. */
export interface SessionFacts {
  readonly pid: number
  readonly application_name: string
  readonly state: string
  readonly open_ms: number
}

/** Reads transactions of clients that began before an instant, the oldest first, twenty at most. */
export const openTransactions = Effect.fnUntraced(function* (now: number, before: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<SessionFacts>`
    select pid, application_name, coalesce(state, 'unknown') as state,
      (extract(epoch from ${instant(now)} - xact_start) * 1000)::float8 as open_ms
    from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and xact_start < ${instant(before)}
    order by xact_start limit 20`)
})

/** One session that waits for a lock, and a session that holds it. */
export interface WaitFacts {
  readonly waiting: string
  readonly waited_ms: number
  readonly holder: number
  readonly holder_name: string
}

/** Reads sessions that have waited for a lock since before an instant, twenty at most. */
export const lockWaits = Effect.fnUntraced(function* (now: number, before: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<WaitFacts>`
    select w.application_name as waiting, (extract(epoch from ${instant(now)} - w.query_start) * 1000)::float8 as waited_ms,
      h.pid as holder, h.application_name as holder_name
    from pg_stat_activity w join pg_stat_activity h on h.pid = (pg_blocking_pids(w.pid))[1]
    where w.datname = current_database() and w.wait_event_type = 'Lock' and w.query_start < ${instant(before)}
    order by w.query_start limit 20`)
})

/** One index as the catalog has it. */
export interface IndexFacts {
  readonly name: string
  readonly is_usable: boolean
}

/** Reads the indexes of this schema. */
export const indexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<IndexFacts>`
    select c.relname as name, i.indisvalid and i.indisready as is_usable
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema()`)
})

/** One table as the statistics have it. */
export interface TableFacts {
  readonly name: string
  readonly live: number
  readonly dead: number
  readonly vacuums_itself: boolean
}

/** Reads the tables of this schema that autovacuum leaves out, or that hold many dead rows. */
export const untidyTables = Effect.fnUntraced(function* (dead: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<TableFacts>`
    select s.relname as name, s.n_live_tup as live, s.n_dead_tup as dead,
      not coalesce(c.reloptions @> array['autovacuum_enabled=false'], false) as vacuums_itself
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.schemaname = current_schema()
      and (s.n_dead_tup > ${dead} or c.reloptions @> array['autovacuum_enabled=false'])
    order by s.n_dead_tup desc limit 20`)
})

/** One replication slot that nothing reads, and the log that it keeps on the disk. */
export interface SlotFacts {
  readonly name: string
  readonly kept_bytes: number
}

/** Reads slots without a reader on a server that writes. */
export const idleSlots = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<SlotFacts>`
    select slot_name::text as name,
      case when pg_is_in_recovery() then 0 else pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) end::float8 as kept_bytes
    from pg_replication_slots where not active and restart_lsn is not null limit 20`)
})

/** One runner that wrote down its lock session, and the shards that this session holds. */
export interface RunnerFacts {
  readonly address: string
  readonly is_alive: boolean
  readonly shards: number
}

/** Reads the runners of this installation. A session of another user shows its process but not its start. */
export const runners = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* many(sql<RunnerFacts>`
    select s.address, a.pid is not null as is_alive, (
      select count(*)::int4 from pg_locks l
      where l.pid = a.pid and l.locktype = 'advisory' and l.objsubid = 2 and l.granted) as shards
    from runner_sessions s left join pg_stat_activity a
      on a.pid = s.pid and (a.backend_start = s.started_at or a.backend_start is null)
    order by s.address`)
})
