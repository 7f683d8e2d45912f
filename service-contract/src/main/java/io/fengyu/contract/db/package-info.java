/** The service's database: roles, migrations, notifications. */
@NullMarked
package io.fengyu.contract.db;

import org.jspecify.annotations.NullMarked;
