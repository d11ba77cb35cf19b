from parcels.features.table cimport BlockTable, LeafTable, part_of
