from parcels.views.block_table cimport BlockTable, LeafTable, part_of
