/* SPDX-License-Identifier: MIT */
/* Tests that the probes make on an edge, and the code for the rare case that one holds (tools/gcc/placing.h). */
#include "tools/gcc/placing.h"

void copy_phi_args(edge from, edge to)
{
    for (gphi_iterator i = gsi_start_phis(from->dest); !gsi_end_p(i); gsi_next(&i))
        add_phi_arg(i.phi(), PHI_ARG_DEF_FROM_EDGE(i.phi(), from), to, UNKNOWN_LOCATION);
}

void set_phi_arg(edge e, tree phi, tree value)
{
    SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(phi_of(phi), e), value);
}

aside split_aside(edge cfg)
{
    basic_block check = split_edge(cfg), record = split_edge(single_succ_edge(check));
    edge to_record = single_succ_edge(check), after = single_succ_edge(record);
    edge around = make_edge(check, after->dest, EDGE_FALSE_VALUE);
    to_record->flags = (to_record->flags & ~EDGE_FALLTHRU) | EDGE_TRUE_VALUE;
    to_record->probability = profile_probability::very_unlikely();
    around->probability = to_record->probability.invert();
    record->count = check->count.apply_probability(to_record->probability);
    return {check, record, after, around};
}

void fill(basic_block block, gimple_seq code)
{
    gimple_stmt_iterator at = gsi_last_bb(block);
    gsi_insert_seq_after(&at, code, GSI_NEW_STMT);
}
