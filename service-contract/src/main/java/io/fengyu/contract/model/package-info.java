/** What services say to each other about words of a model. */
@NullMarked
package io.fengyu.contract.model;

import org.jspecify.annotations.NullMarked;
