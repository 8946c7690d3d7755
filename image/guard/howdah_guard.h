#ifndef HOWDAH_GUARD_H
#define HOWDAH_GUARD_H

#include "nodes/nodes.h"
#include "utils/guc.h"

#define READ_ONLY_ROLE "tsdb_admin.read_only_role"
#define READ_ONLY_CONNECTION "tsdb_admin.read_only_connection"

/* pooler_pass.c */
extern void pooler_pass_define(void);
extern void pooler_pass_make(void);
extern void pooler_pass_withhold(bool withheld);
extern void pooler_pass_report(void);
extern bool pooler_pass_presented;
extern bool is_pooled(void);

/* role_setting.c */
extern void role_setting_init(void);
extern void role_setting_changing(void);
extern void role_setting_end_transaction(bool committed);
extern bool role_setting_is_stale(void);
extern bool role_setting_read(void);

/* storage.c */
extern void storage_init(void);
extern void storage_before_statement(Node *statement);
extern void storage_end_transaction(void);
extern void storage_explain_error(MemoryContext context);
extern bool storage_is_tenant(void);

/* usage.c */
extern void usage_init(void);
extern void usage_count_statement(void);
extern void usage_enter_statement(void);
extern void usage_leave_statement(void);

/* log_secrets.c */
extern void log_secrets_init(void);

#endif
