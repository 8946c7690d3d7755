#ifndef HOWDAH_STORAGE_H
#define HOWDAH_STORAGE_H

#include "port/atomics.h"

typedef enum
{
	ENOUGH,
	LOW,
	CRITICAL,
} Level;

/* What the worker tells a session, and the session the worker. */
typedef struct
{
	bool		cancelled;
	bool		freeing;
	/* How many were sent by all who ever had this place; see usage.c. */
	uint64		statements;
} Session;

typedef struct
{
	pg_atomic_uint32 level;
	Session		sessions[FLEXIBLE_ARRAY_MEMBER];
} Storage;

/* In bytes; what is available is so to this user. */
typedef struct
{
	uint64		total;
	uint64		available;
} Disk;

/* storage.c */
extern Storage *storage;
extern Level storage_level(void);
extern const char *storage_level_name(Level level);

/* storage_watch.c */
extern bool storage_read_disk(Disk *disk);
extern Level storage_level_of(const Disk *disk, Level before);
extern void storage_watch_register(void);
extern void storage_bound_wal(void);

#endif
