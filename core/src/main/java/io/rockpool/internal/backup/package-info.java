/** Makes, lists and restores backups. It knows a store only as a directory of files. */
@NullMarked
package io.rockpool.internal.backup;

import org.jspecify.annotations.NullMarked;
